#include "report/svg.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace graphplan::cli::report {
namespace {

constexpr double kWidth = 720, kLeft = 190, kRight = 90, kLine = 18;
constexpr double kPlotLeft = 84, kPlotRight = 16, kPlotTop = 14, kPlotHeight = 220, kPlotBottom = 44;
constexpr int kColors = 8, kTicks = 4;

std::string begin(const std::string& title, double height) {
    return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\"><title>{}</title>\n", kWidth, height,
                       escaped(title));
}

std::string rectangle(double x, double y, double width, double height, std::size_t color,
                      const std::string& label) {
    return fmt::format(
        "<rect class=\"s{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
        "height=\"{:.2f}\"><title>{}</title></rect>\n",
        color % kColors, x, y, std::max(width, 0.0), height, escaped(label));
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                       escaped(words));
}

double sum(const std::vector<double>& parts) {
    double total = 0;
    for (const double part : parts) total += part;
    return total;
}

double length_of(const BarChart& chart, const Bar& bar) {
    if (chart.stacked) return sum(bar.parts);
    return bar.parts.empty() ? 0 : *std::max_element(bar.parts.begin(), bar.parts.end());
}

std::string bar_parts(const BarChart& chart, const Bar& bar, double y, double scale) {
    std::string svg;
    double x = kLeft;
    const double height = chart.stacked ? kLine - 5 : (kLine - 4) / static_cast<double>(bar.parts.size());
    for (std::size_t i = 0; i < bar.parts.size(); ++i) {
        const double width = bar.parts[i] * scale;
        const double top = chart.stacked ? y : y + height * static_cast<double>(i);
        svg += rectangle(x, top, width, height, i,
                         fmt::format("{}: {} {}", bar.label, chart.series[i], chart.format(bar.parts[i])));
        if (chart.stacked) x += width;
    }
    return svg;
}

/// From data to the plot's coordinates.
class Plot {
  public:
    explicit Plot(const LineChart& chart) : doubling_(chart.doubling), most_y_(chart.limit.value_or(0)) {
        for (const Series& series : chart.series) {
            for (const Point& point : series.points) add(point);
        }
        if (most_y_ <= 0) most_y_ = 1;
        if (most_x_ <= least_x_) most_x_ = least_x_ + 1;
    }

    double x(double value) const {
        const double share = (on_axis(value) - least_x_) / (most_x_ - least_x_);
        return kPlotLeft + share * (kWidth - kPlotLeft - kPlotRight);
    }
    double y(double value) const { return kPlotTop + kPlotHeight * (1 - value / (most_y_ * 1.05)); }
    double most_y() const { return most_y_; }
    /// Powers of two where the axis doubles, every other one where there are many; else equal steps.
    std::vector<double> x_ticks() const {
        std::vector<double> ticks;
        if (!doubling_) {
            for (int i = 0; i <= kTicks; ++i) ticks.push_back(least_x_ + (most_x_ - least_x_) * i / kTicks);
            return ticks;
        }
        const double step = std::ceil((most_x_ - least_x_) / 8);
        for (double power = std::ceil(least_x_); power <= most_x_; power += step)
            ticks.push_back(std::exp2(power));
        return ticks;
    }

  private:
    double on_axis(double value) const { return doubling_ ? std::log2(std::max(value, 1.0)) : value; }
    void add(const Point& point) {
        const double value = on_axis(point.x);
        least_x_ = empty_ ? value : std::min(least_x_, value);
        most_x_ = empty_ ? value : std::max(most_x_, value);
        most_y_ = std::max(most_y_, point.y);
        empty_ = false;
    }

    bool doubling_, empty_ = true;
    double least_x_ = 0, most_x_ = 0, most_y_ = 0;
};

std::string y_axis(const LineChart& chart, const Plot& plot) {
    std::string svg;
    for (int i = 0; i <= kTicks; ++i) {
        const double value = plot.most_y() * i / kTicks;
        svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           kPlotLeft, kWidth - kPlotRight, plot.y(value), plot.y(value));
        svg += text(kPlotLeft - 6, plot.y(value) + 4, "end", chart.format(value));
    }
    return svg;
}

std::string x_axis(const LineChart& chart, const Plot& plot) {
    std::string svg;
    for (const double x : plot.x_ticks()) {
        svg += text(plot.x(x), kPlotTop + kPlotHeight + 16, plot.x(x) > kWidth - 60 ? "end" : "middle",
                    chart.x_format(x));
    }
    return svg + text((kPlotLeft + kWidth) / 2, kPlotTop + kPlotHeight + 36, "middle", chart.x_label);
}

std::string path(const LineChart& chart, const Plot& plot, const Series& series, std::size_t color) {
    std::string d;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point& point = series.points[i];
        if (i > 0 && chart.steps) d += fmt::format("H{:.2f}", plot.x(point.x));
        d += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", plot.x(point.x), plot.y(point.y));
    }
    return fmt::format("<path class=\"s{}\" d=\"{}\"/>\n", color % kColors, d);
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '&': out += "&amp;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string to_svg(const BarChart& chart) {
    double most = 0;
    for (const Bar& bar : chart.bars) most = std::max(most, length_of(chart, bar));
    const double scale = most > 0 ? (kWidth - kLeft - kRight) / most : 0;
    std::string svg = begin(chart.title, kLine * static_cast<double>(chart.bars.size()) + 6);
    double y = 3;
    for (const Bar& bar : chart.bars) {
        svg += text(kLeft - 8, y + kLine - 8, "end", bar.label);
        svg += bar_parts(chart, bar, y, scale);
        svg += text(kLeft + length_of(chart, bar) * scale + 6, y + kLine - 8, "start",
                    chart.format(length_of(chart, bar)));
        y += kLine;
    }
    return svg + "</svg>\n";
}

std::string to_svg(const LineChart& chart) {
    const Plot plot(chart);
    std::string svg =
        begin(chart.title, kPlotTop + kPlotHeight + kPlotBottom) + y_axis(chart, plot) + x_axis(chart, plot);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        svg += path(chart, plot, chart.series[i], i);
        for (const Point& point : chart.series[i].points) {
            if (point.label.empty()) continue;
            svg += fmt::format(
                "<circle class=\"s{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.5\"><title>{}</title></circle>\n",
                i % kColors, plot.x(point.x), plot.y(point.y), escaped(point.label));
        }
    }
    if (chart.limit) {
        svg += fmt::format("<line class=\"limit\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           kPlotLeft, kWidth - kPlotRight, plot.y(*chart.limit), plot.y(*chart.limit));
        svg += text(kWidth - kPlotRight, plot.y(*chart.limit) - 5, "end", chart.limit_label);
    }
    return svg + "</svg>\n";
}

std::string to_svg(const Map& map) {
    const double most = map.rows.empty() ? 1 : *std::max_element(map.rows.begin(), map.rows.end());
    const double scale = (kWidth - kPlotLeft - kPlotRight) / std::max(most, 1.0);
    std::string svg = begin(map.title, kLine * static_cast<double>(map.rows.size()) + 6);
    const auto top = [](std::size_t row) { return 3 + kLine * static_cast<double>(row); };
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        svg += text(kPlotLeft - 6, top(row) + kLine - 6, "end", map.row_labels[row]);
        svg += fmt::format("<rect class=\"room\" x=\"{}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\"/>\n",
                           kPlotLeft, top(row), map.rows[row] * scale, kLine - 4);
    }
    for (const Cell& cell : map.cells) {
        svg += rectangle(kPlotLeft + cell.begin * scale, top(cell.row), (cell.end - cell.begin) * scale,
                         kLine - 4, cell.color, cell.label);
    }
    return svg + "</svg>\n";
}

}  // namespace graphplan::cli::report
