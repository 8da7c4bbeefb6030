#include "request.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cctype>

namespace thud::cli {
namespace {

using Object = nlohmann::ordered_json;

constexpr int deepest = 8;           // of a request's objects and lists
constexpr std::size_t longest = 60;  // of a value in a message

// A value as a message shows it.
std::string shown(const Object& value) {
  std::string text = value.dump(-1, ' ', true, Object::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

// A number as the command line has it, or a text.
std::string word_of(const std::string& option, const Object& value) {
  if (value.is_number()) return value.dump();
  if (value.is_string()) return value.get<std::string>();
  throw InputError(option, shown(value), "must be a number, a text or a list of them");
}

std::string text_of(const std::string& option, const Object& value) {
  std::string text;
  if (!value.is_array()) {
    text = word_of(option, value);
  } else {
    for (const Object& each : value) {
      if (!text.empty()) text += ',';
      text += word_of(option, each);
    }
  }
  if (text.empty()) throw InputError(option, "''", "must not be empty");
  if (text.find('\0') != std::string::npos) throw InputError(option, shown(value), "must not hold a zero byte");
  return text;
}

bool is_option(const std::string& key) {
  return !key.empty() && key.front() != '-' &&
         std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::islower(c) != 0 || c == '-'; });
}

// The words of one option; an argument without a name is one plain word, which must not be taken for an option.
void add_words(const CLI::App& command, const std::string& key, const Object& value, std::vector<std::string>& words) {
  const std::string option = "--" + key;
  std::string argument = key;
  std::transform(key.begin(), key.end(), argument.begin(), [](unsigned char c) { return std::toupper(c); });
  const bool named = is_option(key) && command.get_option_no_throw(option);
  const bool plain = is_option(key) && !named && command.get_option_no_throw(argument);
  if (!named && !plain) throw InputError(option, shown(value), "is not an option of this request");
  if (value.is_null()) return;
  if (command.get_option_no_throw(named ? option : argument)->get_items_expected_max() == 0) {
    if (!value.is_boolean()) throw InputError(option, shown(value), "must be true or false");
    if (value.get<bool>()) words.push_back(option);
    return;
  }
  const std::string text = text_of(named ? option : argument, value);
  if (plain && text.front() == '-') throw InputError(argument, text, "must not begin with a dash");
  words.push_back(named ? option + "=" + text : text);
}

}  // namespace

Object parse_request(std::string_view text) {
  const auto shallow = [](int depth, Object::parse_event_t, Object&) {
    if (depth > deepest) throw InputError("body", "nested", "must not be nested more than eight deep");
    return true;
  };
  Object object = Object::parse(text.begin(), text.end(), shallow, false);
  if (object.is_discarded() || !object.is_object())
    throw InputError("body", std::to_string(text.size()) + " bytes", "must be one JSON object");
  return object;
}

void read_options(CLI::App& command, const Object& options) {
  if (!options.is_object()) throw InputError("options", shown(options), "must be an object");
  std::vector<std::string> words;
  for (const auto& [key, value] : options.items()) add_words(command, key, value, words);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    command.parse(words);
  } catch (const CLI::RequiredError& error) {  // "X is required"
    const std::string what = error.what();
    throw InputError(what.substr(0, what.find(" is required")), "missing", "is needed");
  } catch (const CLI::ParseError& error) {
    throw InputError("options", error.what(), "are not what the command takes");
  }
}

}  // namespace thud::cli
