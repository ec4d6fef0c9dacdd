#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "geofact/io/atomic_file.hpp"

/// A table as a picture: one square a number.
struct heat_map {
  std::string title, columns_title;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;  ///< [row][column], 0..1; NaN: not measured
  int cell = 44;                            ///< width of a square; the number is in it where there is room
};

/// Text between the tags of SVG.
inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

/// From white (0) to dark blue (1).
inline std::string colour(double share) {
  const auto channel = [&](double from, double to) { return std::to_string(std::lround(from + (to - from) * share)); };
  return "rgb(" + channel(255, 8) + ',' + channel(255, 64) + ',' + channel(255, 129) + ')';
}

/// The pictures one below the other, as SVG.
inline void write_svg(const std::string& path, const std::vector<heat_map>& maps) {
  constexpr int high = 24, left = 190, gap = 64, room = 24;
  std::string body;
  int y = 0, width = left;
  const auto text = [&](double x, double at, const std::string& words, const char* more) {
    body += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(at) + "\" " + more + '>' + escaped(words) +
            "</text>\n";
  };
  for (const auto& map : maps) {
    const int cell = map.cell, line = cell >= room ? 1 : 0;
    text(10, y + 20, map.title, "font-weight=\"bold\"");
    text(left - 8, y + 42, map.columns_title, "text-anchor=\"end\" fill=\"#555\"");
    for (std::size_t c = 0; c < map.columns.size(); ++c)
      text(left + cell * (static_cast<double>(c) + 0.5), y + 42, map.columns[c],
           "text-anchor=\"middle\" fill=\"#555\"");
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
      const int top = y + 50 + high * static_cast<int>(r);
      text(left - 8, top + 16, map.rows[r], "text-anchor=\"end\"");
      for (std::size_t c = 0; c < map.values[r].size(); ++c) {
        const double value = map.values[r][c], share = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
        body += "<rect x=\"" + std::to_string(left + cell * static_cast<int>(c)) + "\" y=\"" + std::to_string(top) +
                "\" width=\"" + std::to_string(cell - line) + "\" height=\"" + std::to_string(high - 1) + "\" fill=\"" +
                (std::isnan(value) ? "#eee" : colour(share)) + "\"/>\n";
        if (std::isnan(value) || cell < room) continue;
        const auto digits = std::to_string(std::lround(100 * value));
        text(left + cell * (static_cast<double>(c) + 0.5), top + 16, digits,
             share > 0.5 ? "text-anchor=\"middle\" fill=\"#fff\"" : "text-anchor=\"middle\" fill=\"#333\"");
      }
    }
    y += gap + high * static_cast<int>(map.rows.size());
    const auto columns = map.values.empty() ? 0 : static_cast<int>(map.values.front().size());
    width = (std::max)(width, left + cell * columns + 10);
  }
  geofact::atomic_file file(path);
  file.write("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) + "\" height=\"" +
             std::to_string(y) +
             "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
             body + "</svg>\n");
  file.commit();
}
