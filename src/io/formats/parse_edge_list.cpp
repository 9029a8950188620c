#include "io/text/line_parser.hpp"
#include "io/text/name_table.hpp"

namespace weft::io {

namespace {

/// The lines of both kinds of labels: "source target [weight] anything", comments, blank lines.
/// `Label` reads a label and moves behind it.
template <class Label>
void parse_lines(std::string_view lines, edge_list& into, weight_use weights, bool weighted, Label&& label) {
    auto const skips = [](char const* at) { return *at == '#' || *at == '%'; };
    for_lines(lines, skips, [&](char const*& at) {
        std::int64_t const source = label(at);
        at = skip_blanks(at);
        if (*at == '\n') complain(lines, at, "a second label");
        std::int64_t const target = label(at);
        into.edges.push_back({source, target});
        if (weights != weight_use::none) {
            double weight = 1;
            at = skip_blanks(at);
            if (weighted) weight = read_weight(lines, at, weights, "a weight in the third column");
            into.weights.push_back(weight);
        }
        at = *at == '\n' ? at + 1 : next_line(at, lines.data() + lines.size());
    });
}

/// A number that would be printed in another way, as 007 or +7, is a label of text.
bool is_as_printed(char const* begin, char const* end) {
    if (*begin >= '1' && *begin <= '9') return true;
    std::string_view const digits(begin, static_cast<std::size_t>(end - begin));
    if (digits.starts_with('-')) return digits[1] != '0';
    return digits == "0";
}

class number_list_parser final : public line_parser {
public:
    number_list_parser(weight_use weights, bool weighted) : weights_(weights), weighted_(weighted) {}

    void parse(std::string_view lines, edge_list& into) override {
        parse_lines(lines, into, weights_, weighted_, [](char const*& at) {
            char const* const begin = at;
            std::int64_t number;
            if (!scan_integer(at, number) || !is_as_printed(begin, at)) throw text_label{};
            return number;
        });
    }

private:
    weight_use weights_;
    bool weighted_;
};

class text_list_parser final : public line_parser {
public:
    text_list_parser(weight_use weights, bool weighted, bool tabs)
        : weights_(weights), weighted_(weighted), tabs_(tabs) {}

    void parse(std::string_view lines, edge_list& into) override {
        parse_lines(lines, into, weights_, weighted_, [&](char const*& at) {
            std::string_view const label = tabs_ ? field_up_to_tab(at) : field_at(at);
            for (char const c : label)
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) complain(lines, at, "a label of text");
            at += label.size();
            return table_.index_of(label, into.names);
        });
    }

private:
    weight_use weights_;
    bool weighted_;
    bool tabs_;
    name_table table_;
};

} // namespace

std::unique_ptr<line_parser> make_number_list_parser(graph_header const& header, weight_use weights) {
    return std::make_unique<number_list_parser>(weights, header.weighted);
}

std::unique_ptr<line_parser> make_text_list_parser(graph_header const& header, weight_use weights) {
    return std::make_unique<text_list_parser>(weights, header.weighted, header.tabs);
}

} // namespace weft::io
