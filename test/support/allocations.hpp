#pragma once

/// How often this program has asked for memory so far: every way to the heap is counted.
long allocations();
