// Writes the report page of a results.json: make_page RESULTS.json REPORT.html
#include <thud/file.hpp>
#include <thud/report.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    thud::write_file(argv[2], thud::report_page(thud::read_file(argv[1])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
