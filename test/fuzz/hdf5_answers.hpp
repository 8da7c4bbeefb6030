#pragma once

/// In the place of the HDF5 library, for what reads: its functions answer what a text says. So a reader meets any
/// answer, thousands of times a second, and the memory that it hands the library to fill is watched by the sanitizers.
///
/// The text has a line for each object: KIND[SIZE][FLAGS] PATH [SHAPE] [VALUE|VALUE...].
///
/// - KIND: g group, f float64, i int64, u uint64, t string of fixed length, v of variable length, o another type.
/// - SIZE of a string [byte]; without it that of the longest value.
/// - FLAGS: ! cannot be read, ? cannot be opened, x cannot be looked up, ~ is a soft link, y has no type, s no space,
///   n a null space, a is an array (attributes), p has no properties, c is not in chunks, z has another filter.
/// - PATH of an array or a group; of an attribute with an @ before the name: header@robot.
/// - SHAPE of an array: ROWS or ROWSxCOLUMNS, then perhaps :STORED [byte], then :ROWS of a chunk.
/// - VALUE: they are repeated as often as needed; \n in one is the end of a line.

#include <string_view>

void answer_with(std::string_view text);

/// The end of that text. Returns whether everything that was opened has been closed.
bool forget_answers();
