#include "report/page.hpp"

#include <cctype>

#include <fmt/format.h>

#include "report/svg.hpp"

namespace graphplan::cli::report {
namespace {

// Colours that colour-blind people tell apart (Okabe and Ito), in both schemes.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --text: #1a1a1a; --page: #ffffff; --faint: #d8d8d8; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --page: #16181b; --faint: #3c4046; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
       max-width: 46rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 0 0 .3rem; }
figure { margin: 2rem 0; break-inside: avoid; }
.chart { overflow-x: auto; } svg { width: 100%; min-width: 34rem; height: auto; }
text { font-size: 12px; fill: var(--text); } path { fill: none; stroke-width: 1.8; }
.grid { stroke: var(--faint); } .limit { stroke: #d55e00; stroke-dasharray: 5 4; } .room { fill: var(--faint); }
.legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
table { border-collapse: collapse; font-size: .85rem; } td, th { padding: .1rem .6rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } .tables { overflow-x: auto; }
@media print { body { max-width: none; } details { display: none; } svg { min-width: 0; } }
)";
constexpr const char* kColors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#8a8a00", "#7a7a7a"};

std::string colors() {
    std::string css;
    for (std::size_t i = 0; i < std::size(kColors); ++i) {
        css += fmt::format(
            "rect.s{0}, circle.s{0} {{ fill: {1}; }} path.s{0} {{ stroke: {1}; }} i.s{0} {{ background: {1}; "
            "}}\n",
            i, kColors[i]);
    }
    return css;
}

// Names are free text; an anchor is letters, digits and dashes.
std::string anchor(const std::string& id) {
    std::string out;
    for (const char c : id) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return out;
}

std::string row(const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) html += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
    return html + "</tr>\n";
}

std::string table(const Figure& figure) {
    if (figure.rows.empty()) return "";
    std::string html = "<details><summary>Figures</summary><div class=\"tables\"><table>\n";
    html += row(figure.columns, "th");
    for (const std::vector<std::string>& cells : figure.rows) html += row(cells, "td");
    return html + "</table></div></details>\n";
}

std::string legend(const Figure& figure) {
    if (figure.legend.size() < 2) return "";
    std::string html = "<p class=\"legend\">";
    for (std::size_t i = 0; i < figure.legend.size(); ++i) {
        html += fmt::format("<span><i class=\"s{}\"></i>{}</span>", i % std::size(kColors),
                            escaped(figure.legend[i]));
    }
    return html + "</p>\n";
}

std::string figure_html(const Figure& figure) {
    std::string html =
        fmt::format("<figure id=\"{}\" data-rows=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n", anchor(figure.id),
                    figure.rows.size(), escaped(figure.title), escaped(figure.note));
    if (!figure.svg.empty()) html += legend(figure) + "<div class=\"chart\">" + figure.svg + "</div>\n";
    return html + table(figure) + "</figure>\n";
}

}  // namespace

std::string to_html(const Heading& heading, const std::vector<Figure>& figures) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += "<link rel=\"icon\" href=\"data:,\">\n";
    html += fmt::format("<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n", escaped(heading.title),
                        kStyle, colors());
    html += fmt::format("<h1>{}</h1>\n", escaped(heading.title));
    for (const std::string& line : heading.lines) html += fmt::format("<p>{}</p>\n", escaped(line));
    for (const Figure& figure : figures) html += figure_html(figure);
    return html + "</body>\n</html>\n";
}

}  // namespace graphplan::cli::report
