#include "value_ranges.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

namespace weft::tool {

namespace {

/// The findings about values of type T on this rank.
template <class T>
class range_search {
public:
    range_search(int components, std::optional<double> missing)
        : has_missing_(missing.has_value()),
          missing_(missing.value_or(0)),
          least_(static_cast<std::size_t>(components), std::numeric_limits<T>::max()),
          greatest_(least_.size(), std::numeric_limits<T>::lowest()),
          counts_(3 * least_.size()) {}

    void add(std::span<T const> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::size_t const c = i % least_.size();
            T const value = values[i];
            if (is_missing(value)) {
                ++counts_[3 * c + 1];
                continue;
            }
            if constexpr (std::is_floating_point_v<T>) {
                if (std::isinf(value)) {
                    ++counts_[3 * c + 2];
                    continue;
                }
            }
            ++counts_[3 * c];
            least_[c] = std::min(least_[c], value);
            greatest_[c] = std::max(greatest_[c], value);
        }
    }

    /// Collective.
    [[nodiscard]] std::vector<value_range> of_all(communicator const& comm) {
        all_reduce(comm, std::span(least_), [](T a, T b) noexcept { return std::min(a, b); });
        all_reduce(comm, std::span(greatest_), [](T a, T b) noexcept { return std::max(a, b); });
        all_reduce(comm, std::span(counts_), [](std::int64_t a, std::int64_t b) noexcept { return a + b; });
        std::vector<value_range> found;
        for (std::size_t c = 0; c < least_.size(); ++c)
            found.push_back(
                {least_[c], greatest_[c], counts_[3 * c], counts_[3 * c + 1], counts_[3 * c + 2]});
        return found;
    }

private:
    [[nodiscard]] bool is_missing(T value) const noexcept {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(value)) return true;
        return has_missing_ && static_cast<double>(value) == missing_;
    }

    bool has_missing_;
    double missing_;
    std::vector<T> least_;
    std::vector<T> greatest_;
    std::vector<std::int64_t> counts_; // finite, missing, infinite, by component
};

/// The axis along which planes are dealt to ranks: the last one that has several points.
std::size_t axis_of_planes(grid_shape const& shape) {
    for (std::size_t d = 3; d-- > 1;)
        if (shape.points[d] > 1) return d;
    return 0;
}

template <class T>
void add_planes(communicator const& comm, grid_source& source, range_search<T>& into) {
    grid_shape const& shape = source.shape();
    std::size_t const axis = axis_of_planes(shape);
    uniform_distribution const dealt(shape.points[axis], comm.size());
    box<std::int64_t> planes = points_of(shape);
    planes.hi[axis] = planes.lo[axis] + 1;
    constexpr std::size_t most_bytes = std::size_t{16} << 20;
    auto const together =
        static_cast<std::int64_t>(std::max<std::size_t>(most_bytes / bytes_of(shape, planes), 1));
    std::vector<std::byte> bytes;
    for (std::int64_t at = dealt.begin(comm.rank()); at < dealt.end(comm.rank()); at += together) {
        planes.lo[axis] = at;
        planes.hi[axis] = std::min(at + together, dealt.end(comm.rank()));
        bytes.resize(bytes_of(shape, planes));
        source.read(planes, bytes);
        into.add({reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)});
    }
}

} // namespace

std::vector<value_range> ranges_of(communicator const& comm, grid_source& source) {
    grid_shape const& shape = source.shape();
    return visit_values(shape.type, {}, [&]<class T>(std::span<T const>) {
        range_search<T> search(shape.components, shape.missing);
        agreed(comm, [&] { add_planes(comm, source, search); });
        return search.of_all(comm);
    });
}

std::vector<value_range> ranges_of(communicator const& comm, std::span<double const> values, int components) {
    range_search<double> search(components, std::nullopt);
    search.add(values);
    return search.of_all(comm);
}

} // namespace weft::tool
