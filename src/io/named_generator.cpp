#include <weft/io/named_generator.hpp>

#include "linked_parts.hpp"

#include <collective/need_memory.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/io/generators.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace weft {

namespace {

/// A text taken apart: `NAME:PLACED:PLACED,KEY=VALUE,...`. Values that are read leave it; a rest is
/// an error.
class generator_text {
public:
    generator_text(std::string_view text, std::string_view form) : text_(text), form_(form) {
        std::string_view rest = text.substr(text.find(':') + 1);
        std::string_view const placed = rest.substr(0, rest.find(','));
        rest.remove_prefix(placed.size());
        for (std::size_t at = 0; at <= placed.size();) {
            std::size_t const end = std::min(placed.find(':', at), placed.size());
            placed_.push_back(placed.substr(at, end - at));
            at = end + 1;
        }
        while (!rest.empty()) {
            rest.remove_prefix(1);
            std::string_view const item = rest.substr(0, rest.find(','));
            rest.remove_prefix(item.size());
            std::size_t const sign = item.find('=');
            if (sign == item.npos || !named_.emplace(item.substr(0, sign), item.substr(sign + 1)).second)
                refuse();
        }
    }

    /// The placed text of this number, if there is one.
    [[nodiscard]] std::optional<std::string_view> placed(std::size_t place) {
        taken_ = std::max(taken_, place + 1);
        if (place >= placed_.size()) return std::nullopt;
        return placed_[place];
    }
    template <class Number>
    void read_placed(std::size_t place, Number& into) {
        if (auto const found = placed(place)) into = as_number<Number>(*found);
    }
    template <class Number>
    [[nodiscard]] std::optional<Number> named(std::string_view key) {
        auto const found = take(key);
        if (!found) return std::nullopt;
        return as_number<Number>(*found);
    }
    template <class Number>
    void read_named(std::string_view key, Number& into) {
        if (auto const found = named<Number>(key)) into = *found;
    }
    void read_named(std::string_view key, bool& into) {
        auto const found = take(key);
        if (!found) return;
        if (*found != "yes" && *found != "no") refuse();
        into = *found == "yes";
    }
    template <class Number>
    [[nodiscard]] Number as_number(std::string_view digits) const {
        Number number{};
        char const* const end = digits.data() + digits.size();
        auto const [next, failure] = std::from_chars(digits.data(), end, number);
        if (failure != std::errc{} || next != end) refuse();
        return number;
    }
    /// To be called when all has been read.
    void end() const {
        if (taken_ < placed_.size() || !named_.empty()) refuse();
    }
    [[noreturn]] void refuse() const { refuse(form_); }
    [[noreturn]] void refuse(std::string_view expected) const {
        throw usage_error("\"" + std::string(text_) + "\": expected " + std::string(expected));
    }

private:
    [[nodiscard]] std::optional<std::string_view> take(std::string_view key) {
        auto const found = named_.find(key);
        if (found == named_.end()) return std::nullopt;
        std::string_view const value = found->second;
        named_.erase(found);
        return value;
    }

    std::string_view text_;
    std::string_view form_;
    std::vector<std::string_view> placed_;
    std::map<std::string_view, std::string_view> named_;
    std::size_t taken_ = 0;
};

using any_generator =
    std::variant<rmat_options, erdos_renyi_options, geometric_options, lattice_options, linked_parts_options>;

any_generator read_rmat(generator_text& text) {
    rmat_options options;
    std::int64_t scale = 0;
    text.read_placed(0, scale);
    if (!std::in_range<int>(scale)) text.refuse("a scale in 0..62, found " + std::to_string(scale));
    options.scale = static_cast<int>(scale);
    text.read_placed(1, options.edge_factor);
    text.read_named("a", options.a);
    text.read_named("b", options.b);
    text.read_named("c", options.c);
    text.read_named("scramble", options.scramble);
    return options;
}

any_generator read_erdos_renyi(generator_text& text) {
    erdos_renyi_options options;
    text.read_placed(0, options.vertices);
    text.read_placed(1, options.average_degree);
    options.probability = text.named<double>("probability");
    return options;
}

any_generator read_geometric(generator_text& text) {
    geometric_options options;
    text.read_placed(0, options.vertices);
    text.read_placed(1, options.average_degree);
    options.radius = text.named<double>("radius");
    text.read_named("dimensions", options.dimensions);
    return options;
}

any_generator read_extents(generator_text& text, bool periodic) {
    lattice_options options;
    options.extents.clear();
    options.periodic = periodic;
    std::string_view const all = text.placed(0).value_or("");
    for (std::size_t at = 0; at <= all.size();) {
        std::size_t const end = std::min(all.find('x', at), all.size());
        options.extents.push_back(text.as_number<std::int64_t>(all.substr(at, end - at)));
        at = end + 1;
    }
    return options;
}

any_generator read_parts(generator_text& text) {
    linked_parts_options options;
    std::string_view const sizes = text.placed(0).value_or("");
    std::size_t const sign = std::min(sizes.find('x'), sizes.size());
    options.parts = text.as_number<std::int64_t>(sizes.substr(0, sign));
    options.vertices = text.as_number<std::int64_t>(sizes.substr(std::min(sign + 1, sizes.size())));
    text.read_placed(1, options.links);
    text.read_named("probability", options.probability);
    return options;
}

struct generator_row {
    std::string_view name;
    std::string_view form;
    any_generator (*read)(generator_text&);
};

constexpr generator_row generator_rows[] = {
    {"rmat", "rmat:SCALE[:EDGE_FACTOR][,a=A][,b=B][,c=C][,scramble=no]", read_rmat},
    {"er", "er:VERTICES[:AVERAGE_DEGREE][,probability=P]", read_erdos_renyi},
    {"rgg", "rgg:VERTICES[:AVERAGE_DEGREE][,radius=R][,dimensions=3]", read_geometric},
    {"grid", "grid:WIDTHxHEIGHT[xDEPTH]", [](generator_text& text) { return read_extents(text, false); }},
    {"torus", "torus:WIDTHxHEIGHT[xDEPTH]", [](generator_text& text) { return read_extents(text, true); }},
    {"parts", "parts:PARTSxVERTICES[:LINKS][,probability=P]", read_parts},
};

generator_row const* generator_row_of(std::string_view text) noexcept {
    std::size_t const colon = text.find(':');
    if (colon == text.npos) return nullptr;
    auto const* const found = std::ranges::find(generator_rows, text.substr(0, colon), &generator_row::name);
    return found == std::end(generator_rows) ? nullptr : found;
}

any_generator read_generator(std::string const& text) {
    generator_row const* const row = generator_row_of(text);
    if (!row) throw usage_error("\"" + text + "\": expected " + list_of_generators());
    generator_text parts(text, row->form);
    any_generator read = row->read(parts);
    parts.end();
    return read;
}

double edges_of(rmat_options const& options) {
    bool const valid = options.scale >= 0 && options.scale <= 62 && options.edge_factor >= 0;
    return valid ? std::ldexp(static_cast<double>(options.edge_factor), options.scale) : 0;
}

double edges_of(erdos_renyi_options const& options) {
    auto const vertices = static_cast<double>(options.vertices);
    double const degree = options.probability ? *options.probability * vertices : options.average_degree;
    return degree >= 0 && degree <= vertices ? 0.5 * vertices * degree : 0;
}

/// Vertices at the border have fewer neighbours, so that two fifths of the edges is what is there for sure.
double edges_of(geometric_options const& options) {
    auto const vertices = static_cast<double>(options.vertices);
    double degree = options.average_degree;
    if (options.radius) degree = vertices * std::pow(std::min(*options.radius, 0.5), options.dimensions);
    return degree >= 0 && degree <= vertices ? 0.2 * vertices * degree : 0;
}

double edges_of(lattice_options const& options) {
    double edges = static_cast<double>(options.extents.size());
    for (std::int64_t const extent : options.extents) edges *= static_cast<double>(extent);
    return edges > 0 ? edges : 0;
}

double edges_of(linked_parts_options const& options) {
    auto const vertices = static_cast<double>(options.vertices);
    double const inside = options.probability * vertices * (vertices - 1) / 2;
    double const edges = static_cast<double>(options.parts) *
                         (inside + vertices + static_cast<double>(options.parts > 1 ? options.links : 0));
    return edges > 0 ? edges : 0;
}

edge_list made(communicator const& comm, linked_parts_options const& options) {
    return generate_linked_parts(comm, options);
}
edge_list made(communicator const& comm, rmat_options const& options) {
    return generate_rmat(comm, options);
}
edge_list made(communicator const& comm, erdos_renyi_options const& options) {
    return generate_erdos_renyi(comm, options);
}
edge_list made(communicator const& comm, geometric_options const& options) {
    return generate_geometric(comm, options);
}
edge_list made(communicator const& comm, lattice_options const& options) {
    return generate_lattice(comm, options);
}

} // namespace

bool names_generator(std::string_view text) noexcept {
    return generator_row_of(text) != nullptr;
}

std::string list_of_generators() {
    std::string list;
    for (generator_row const& each : generator_rows) {
        if (!list.empty()) list += &each == std::end(generator_rows) - 1 ? " or " : ", ";
        list += each.form;
    }
    return list;
}

double expected_edges(std::string const& text) {
    return std::visit([](auto const& options) { return edges_of(options); }, read_generator(text));
}

edge_list generate_graph(
    communicator const& comm, std::string const& text, generation_options const& options) {
    any_generator generator;
    double edges = 0;
    gate call(comm, "generate_graph");
    call.same("text", text).same("seed", options.seed);
    agreed(call, [&] {
        generator = read_generator(text);
        edges = expected_edges(text);
        std::visit(
            [&](auto& chosen) {
                if constexpr (requires { chosen.seed; }) chosen.seed = options.seed;
                chosen.progress = options.progress;
            },
            generator);
    });
    need_memory(comm, text, edges * sizeof(edge) / comm.size());
    return std::visit([&](auto const& chosen) { return made(comm, chosen); }, generator);
}

} // namespace weft
