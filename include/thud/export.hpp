#pragma once

/// Everything is compiled with hidden visibility. What is declared and defined in a `namespace THUD_EXPORT thud` is
/// exported by the library: public headers, and the sources behind them, open the namespace so; nothing private does.
#define THUD_EXPORT [[gnu::visibility("default")]]
