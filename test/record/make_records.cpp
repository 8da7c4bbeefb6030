/// Writes the sample records into a folder: make_records data/records

#include <thud/file.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "samples.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: make_records FOLDER\n", stderr), 2;
  try {
    for (const auto& [file, text] : signals::samples()) thud::write_file(std::string(argv[1]) + "/" + file, text);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "make_records: %s\n", error.what()), 1;
  }
}
