#include "io/text/line_parser.hpp"

namespace weft::io {

namespace {

/// "row column [value [imaginary part]]". Blank lines and comments, which belong before the sizes, do no
/// harm.
class matrix_market_parser final : public line_parser {
public:
    matrix_market_parser(graph_header const& header, weight_use weights)
        : rows_(header.rows),
          columns_(header.columns),
          first_column_(header.rows == header.columns ? 0 : header.rows),
          field_(header.field),
          skew_(header.symmetry == matrix_symmetry::skew),
          weights_(weights) {}

    void parse(std::string_view lines, edge_list& into) override {
        auto const skips = [](char const* at) { return *at == '%'; };
        for_lines(lines, skips, [&](char const*& at) {
            char const* const line = at;
            std::int64_t const row = scan_index(at, rows_);
            if (row < 0) complain(lines, at, index_range("a row index", rows_));
            at = skip_blanks(at);
            std::int64_t const column = scan_index(at, columns_);
            if (column < 0) complain(lines, at, index_range("a column index", columns_));
            at = skip_blanks(at);
            if (skew_ && row == column && !is_zero(at))
                complain(lines, line, "zeros alone on the diagonal of a skew-symmetric matrix");
            double const value = read_value(lines, at);
            end_line(lines, at);
            into.edges.push_back({row, first_column_ + column});
            if (weights_ != weight_use::none) into.weights.push_back(value);
        });
    }

private:
    /// True if an explicit zero stands at `at`.
    [[nodiscard]] bool is_zero(char const* at) const {
        double part = 1;
        if (field_ == matrix_field::pattern || !scan_number(at, part) || part != 0) return false;
        at = skip_blanks(at);
        return field_ != matrix_field::complex || (scan_number(at, part) && part == 0);
    }

    double read_value(std::string_view lines, char const*& at) const {
        double value = 1;
        switch (field_) {
        case matrix_field::pattern:
            break;
        case matrix_field::integer: {
            std::int64_t whole;
            char const* const begin = at;
            if (!scan_integer(at, whole)) complain(lines, at, "an integer value");
            value = static_cast<double>(whole);
            check_weight(lines, begin, value, weights_, "an integer value");
            break;
        }
        case matrix_field::real:
            value = read_weight(lines, at, weights_, "a real value");
            break;
        case matrix_field::complex:
            if (!skip_number(at)) complain(lines, at, "the real part of a value");
            at = skip_blanks(at);
            if (!skip_number(at)) complain(lines, at, "the imaginary part of a value");
            break;
        }
        at = skip_blanks(at);
        return value;
    }

    std::int64_t rows_;
    std::int64_t columns_;
    std::int64_t first_column_;
    matrix_field field_;
    bool skew_;
    weight_use weights_;
};

} // namespace

std::unique_ptr<line_parser> make_matrix_market_parser(graph_header const& header, weight_use weights) {
    return std::make_unique<matrix_market_parser>(header, weights);
}

} // namespace weft::io
