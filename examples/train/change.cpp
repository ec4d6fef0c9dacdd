#include <charconv>
#include <type_traits>

#include "settings.hpp"

namespace {

template <class Value>
void read(Value& value, const std::string& name, const std::string& text) {
  if constexpr (std::is_same_v<Value, geofact::schedule>) {
    using geofact::schedule;
    const std::map<std::string, schedule> curves = {
        {"cosine", schedule::cosine}, {"linear", schedule::linear}, {"constant", schedule::constant}};
    const auto found = curves.find(text);
    geofact::require(found != curves.end(), "--set ", name, " takes cosine, linear or constant, not \"", text, '"');
    value = found->second;
  } else if constexpr (std::is_same_v<Value, bool>) {
    geofact::require(text == "true" || text == "false", "--set ", name, " takes true or false, not \"", text, '"');
    value = text == "true";
  } else {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    geofact::require(failure == std::errc{} && end == text.data() + text.size() && !text.empty(), "--set ", name,
                     " takes a number in range, not \"", text, '"');
  }
}

}  // namespace

void change(geofact::recipe& r, const std::string& setting) {
  const auto equals = setting.find('=');
  geofact::require(equals != std::string::npos, "--set takes NAME=VALUE, not \"", setting, '"');
  const std::string wanted = setting.substr(0, equals), text = setting.substr(equals + 1);
  bool found = false;
  std::string names;
  geofact::for_each_setting(r, [&](const std::string& name, auto& value) {
    names += (names.empty() ? "" : ", ") + name;
    if (name != wanted) return;
    read(value, name, text);
    found = true;
  });
  geofact::require(found, "there is no setting \"", wanted, "\"; there are ", names);
}
