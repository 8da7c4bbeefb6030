#pragma once

/// Number of heap allocations of this program so far, by whatever function.
long allocations();
