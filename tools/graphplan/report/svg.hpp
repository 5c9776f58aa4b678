// Charts as SVG text. No script and no network: colours are classes s0 to s7 that the page's style sets.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graphplan::cli::report {

/// Text with what HTML reserves written as entities.
std::string escaped(std::string_view text);

/// How a chart writes its numbers.
using Format = std::function<std::string(double)>;

/// A horizontal bar of stacked parts, one for each series.
struct Bar {
    std::string label;
    std::vector<double> parts;
};
struct BarChart {
    std::string title;
    std::vector<std::string> series;
    std::vector<Bar> bars;
    Format format;
    bool stacked = true;  ///< false: the parts stand one below the other
};
std::string to_svg(const BarChart& chart);

struct Point {
    double x = 0, y = 0;
    std::string label;
};
struct Series {
    std::string name;
    std::vector<Point> points;  ///< by ascending x
};
struct LineChart {
    std::string title, x_label;
    std::vector<Series> series;
    Format format, x_format;
    bool doubling = false;         ///< x as powers of two
    bool steps = false;            ///< y holds until the next point
    std::optional<double> limit;   ///< a dashed line
    std::string limit_label = {};  ///< its name
};
std::string to_svg(const LineChart& chart);

/// A rectangle of a map: `row` counts from the top, from `begin` to `end` of the map's width.
struct Cell {
    std::size_t row = 0, color = 0;
    double begin = 0, end = 0;
    std::string label;
};
struct Map {
    std::string title;
    std::vector<double> rows;  ///< how much of the width each row has
    std::vector<std::string> row_labels;
    std::vector<Cell> cells;
};
std::string to_svg(const Map& map);

}  // namespace graphplan::cli::report
