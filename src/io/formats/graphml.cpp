#include "graphml.hpp"

#include <core/lower_case.hpp>

#include "io/expat_calls.hpp"
#include "io/text/name_table.hpp"
#include "io/text/scan.hpp"

#include <weft/core/error.hpp>

#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weft::io {

namespace {

/// The name of an element or attribute without the prefix of its namespace.
std::string_view local_name(char const* name) noexcept {
    std::string_view const whole(name);
    std::size_t const colon = whole.rfind(':');
    return colon == whole.npos ? whole : whole.substr(colon + 1);
}

class attributes {
public:
    explicit attributes(char const** list) noexcept : list_(list) {}

    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept {
        for (char const** at = list_; *at != nullptr; at += 2)
            if (local_name(at[0]) == name) return std::string_view(at[1]);
        return std::nullopt;
    }

private:
    char const** list_;
};

class graphml_reader {
public:
    graphml_reader(std::filesystem::path const& file, weight_use weights) : file_(file), weights_(weights) {
        graph_.naming = vertex_naming::text;
        graph_.format = "GraphML";
    }

    edge_list read(byte_stream& stream) {
        std::string const complaint =
            calls_.read([&](char* into, std::size_t bytes) { return stream.read(into, bytes); });
        if (!complaint.empty()) complain(complaint);
        if (!has_graph_) complain("expected an element <graph>, found the end of the file");
        for (std::size_t node = 0; node < declared_.size(); ++node)
            if (!declared_[node])
                complain("expected nodes that the file declares, found " + in_quotes(graph_.names[node]),
                    mentioned_[node]);
        if (weight_key_.empty() && !unknown_keys_.empty())
            complain("expected data of edges whose key is declared, found the key " +
                         in_quotes(unknown_keys_.begin()->first) + ", which may be that of their weights",
                unknown_keys_.begin()->second);
        graph_.weighted = !weight_key_.empty();
        return std::move(graph_);
    }

private:
    friend expat_calls<graphml_reader>;

    void text(char const* characters, std::size_t count) {
        if (takes_text_) text_.append(characters, count);
    }
    void start(char const* element, char const** list) {
        std::string_view const name = local_name(element);
        attributes const given(list);
        if (!has_root_ && name != "graphml")
            complain("expected the element <graphml>, found <" + std::string(name) + ">");
        has_root_ = true;
        if (name == "key") {
            start_key(given);
        } else if (name == "graph") {
            start_graph(given);
        } else if (name == "node") {
            start_node(needed(given, name, "id"));
        } else if (name == "edge") {
            start_edge(given);
        } else if (name == "hyperedge") {
            complain("expected edges between two nodes, found a <hyperedge>");
        } else if (name == "data") {
            start_data(given.find("key").value_or(""));
        } else if (name == "default" && in_weight_key_) {
            takes_text_ = true;
            text_.clear();
        }
    }

    void start_key(attributes const& given) {
        std::string const id(needed(given, "key", "id"));
        std::string_view const of = given.find("for").value_or("all");
        bool const is_weight = in_lower_case(given.find("attr.name").value_or("")) == "weight";
        keys_.insert(id);
        in_weight_key_ = is_weight && (of == "edge" || of == "all");
        if (is_weight && !in_weight_key_) other_weights_.emplace(id, of);
        if (!in_weight_key_) return;
        if (auto const used = unknown_keys_.find(id); used != unknown_keys_.end())
            complain("expected the key of the weights before the graph, found it behind the edge in line " +
                     std::to_string(used->second));
        if (has_graph_ && !graph_.edges.empty() && weights_ != weight_use::none)
            complain("expected the key of the weights before the edges, found it behind some");
        if (!weight_key_.empty() && weight_key_ != id)
            complain(
                "expected one key of weights, found " + in_quotes(weight_key_) + " and " + in_quotes(id));
        weight_key_ = id;
    }

    /// Data of an edge, which are its weight or something else. Where weights are wanted the file must say
    /// what they are.
    void start_data(std::string_view key) {
        takes_text_ = in_edge_ && !weight_key_.empty() && key == weight_key_;
        text_.clear();
        if (!in_edge_ || takes_text_ || weights_ == weight_use::none) return;
        if (auto const other = other_weights_.find(key); other != other_weights_.end())
            complain("expected weights of edges, found one whose key " + in_quotes(key) + " is for=\"" +
                     other->second + '"');
        if (!keys_.contains(key)) unknown_keys_.emplace(key, line());
    }

    void start_graph(attributes const& given) {
        if (has_graph_) complain("expected one <graph> in the file, found another");
        has_graph_ = true;
        std::string_view const kind = needed(given, "graph", "edgedefault");
        if (kind != "directed" && kind != "undirected")
            complain("expected an edgedefault \"directed\" or \"undirected\", found " + in_quotes(kind));
        graph_.directed = kind == "directed";
    }

    void start_node(std::string_view id) {
        std::size_t const node = index_of(id);
        if (declared_[node]) complain("expected a node once, found " + in_quotes(id) + " again");
        declared_[node] = true;
    }

    void start_edge(attributes const& given) {
        if (!has_graph_) complain("expected edges inside of a <graph>, found one outside");
        if (auto const own = given.find("directed"); own && (*own == "true") != graph_.directed)
            complain(
                "expected edges that are all directed or all undirected, as the graph says, found one of "
                "the other kind");
        auto const source = static_cast<std::int64_t>(index_of(needed(given, "edge", "source")));
        auto const target = static_cast<std::int64_t>(index_of(needed(given, "edge", "target")));
        graph_.edges.push_back({source, target});
        in_edge_ = true;
        weight_ = default_weight_;
    }

    void end(char const* element) {
        std::string_view const name = local_name(element);
        if (takes_text_ && (name == "data" || name == "default")) {
            takes_text_ = false;
            (name == "data" ? weight_ : default_weight_) = number();
        } else if (name == "key") {
            in_weight_key_ = false;
        } else if (name == "edge") {
            in_edge_ = false;
            if (weights_ == weight_use::none) return;
            if (!weight_key_.empty() && !weight_) complain("expected a weight of the edge, found none");
            graph_.weights.push_back(weight_.value_or(1));
        }
    }

    /// The text of an element as a weight.
    [[nodiscard]] double number() const {
        if (weights_ == weight_use::none) return 1;
        std::string const padded = text_ + '\n' + std::string(text_padding, ' ');
        char const* at = padded.data();
        while (at != padded.data() + text_.size() && ends_field(*at)) ++at;
        double value = 0;
        bool const read = scan_number(at, value);
        while (read && at != padded.data() + text_.size() && ends_field(*at)) ++at;
        if (!read || at != padded.data() + text_.size())
            complain("expected a weight, found " + in_quotes(text_));
        if (weights_ == weight_use::lengths && !(value >= 0 && value <= std::numeric_limits<double>::max()))
            complain("expected a weight that is finite and at least 0, found " + in_quotes(text_));
        return value;
    }

    std::size_t index_of(std::string_view id) {
        for (char const c : id)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                complain("expected an id of text, found " + in_quotes(id));
        auto const index = static_cast<std::size_t>(table_.index_of(id, graph_.names));
        if (index == declared_.size()) {
            declared_.push_back(false);
            mentioned_.push_back(line());
        }
        return index;
    }

    [[nodiscard]] std::string_view needed(
        attributes const& given, std::string_view element, char const* attribute) const {
        auto const value = given.find(attribute);
        if (!value || value->empty())
            complain("expected the attribute " + std::string(attribute) + " of <" + std::string(element) +
                     ">, found none");
        return *value;
    }

    [[nodiscard]] std::int64_t line() const noexcept {
        return static_cast<std::int64_t>(XML_GetCurrentLineNumber(calls_.parser()));
    }
    [[noreturn]] void complain(std::string const& complaint) const { complain(complaint, line()); }
    [[noreturn]] void complain(std::string const& complaint, std::int64_t line) const {
        throw io_error(file_.string() + ":" + std::to_string(line) + ": " + complaint);
    }

    std::filesystem::path const& file_;
    weight_use weights_;
    expat_calls<graphml_reader> calls_{*this};
    edge_list graph_;
    name_table table_;
    std::vector<bool> declared_;          // by index of a name
    std::vector<std::int64_t> mentioned_; // the line in which it stood first
    std::set<std::string, std::less<>> keys_;
    std::map<std::string, std::string, std::less<>> other_weights_; // keys of weights, of nodes and the like
    std::map<std::string, std::int64_t, std::less<>> unknown_keys_; // of data of edges, and their first lines
    std::string weight_key_;
    std::optional<double> default_weight_;
    std::optional<double> weight_; // of the edge at hand
    std::string text_;
    bool takes_text_ = false;
    bool in_weight_key_ = false;
    bool in_edge_ = false;
    bool has_root_ = false;
    bool has_graph_ = false;
};

} // namespace

edge_list read_graphml(byte_stream& stream, std::filesystem::path const& file, weight_use weights) {
    return graphml_reader(file, weights).read(stream);
}

} // namespace weft::io
