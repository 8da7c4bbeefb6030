#pragma once

/// Private: writing thud's TOML files.

#include <thud/conventions.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thud::toml {

/// A TOML document that grows from top to bottom. A remark becomes a comment after the value.
class Writer {
 public:
  /// Quotes around texts: "double" with escapes, or 'single' around those that need no escape.
  enum class Quotes { basic, literal };
  explicit Writer(Quotes quotes = Quotes::basic) : quotes_(quotes) {}

  void comment(std::string_view text);
  void table(std::string_view name);                           ///< [name]
  void table(std::string_view name, std::string_view remark);  ///< the same, below a comment
  void next(std::string_view name);                            ///< [[name]]: the next of an array of tables

  void text(std::string_view key, std::string_view value, std::string_view remark = {});
  void number(std::string_view key, double value, std::string_view remark = {});
  void integer(std::string_view key, std::uint64_t value, std::string_view remark = {});
  void numbers(std::string_view key, const VectorRef& values, std::string_view remark = {});
  void texts(std::string_view key, const std::vector<std::string>& values, std::string_view remark = {});

  /// Writes nothing for NaN.
  void known_number(std::string_view key, double value);

  const std::string& document() const noexcept { return document_; }

 private:
  void line(std::string_view key, std::string_view value, std::string_view remark);
  std::string quoted(std::string_view text) const;

  Quotes quotes_;
  std::string document_;
};

/// A text between double quotes: for keys that may be any text.
std::string quoted_text(std::string_view text);

}  // namespace thud::toml
