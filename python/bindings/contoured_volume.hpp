/// Volumes of Python as contours, slices and thresholds take them: points with values, cells between them.
/// Private.
#pragma once

#include "volume_input.hpp"

#include <weft/contouring/contour.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::python {

using volume_box =
    std::pair<std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>; ///< lower and upper corner

/// The points of a volume between which this rank works on the cells. Values that a file has at cells become
/// values at points.
class contoured_volume {
public:
    /// `held`: the points that this rank has; else it takes its share of the layers across z. Collective:
    /// yes. Throws: `io_error`, agreed.
    contoured_volume(
        communicator const& comm, volume_input const& volume, std::optional<volume_box> const& held);

    [[nodiscard]] grid_lines const& lines() const noexcept { return lines_; }
    [[nodiscard]] value_type type() const noexcept { return type_; }

    /// None, or one.
    template <class T>
    [[nodiscard]] std::vector<grid_values<T>> boxes() const {
        if (!points_) return {};
        std::vector<grid_values<T>> made{
            {*points_, std::span(reinterpret_cast<T const*>(values_.data()), values_.size() / sizeof(T))}};
        made.back().hidden = hidden_;
        return made;
    }

    /// The same as double, in memory that must live as long.
    [[nodiscard]] std::vector<grid_values<double>> boxes(std::vector<double>& memory) const;

private:
    void read_points(grid_source& from, volume_input const& volume);

    grid_lines lines_;
    value_type type_ = value_type::float32;
    std::optional<box<std::int64_t>> points_;
    std::span<std::byte const> values_;
    std::vector<std::byte> copied_;    ///< where values lie elsewhere
    std::vector<std::uint8_t> hidden_; ///< a mark a cell; empty where all are visible
};

/// Which rank has which, as Python is told.
[[nodiscard]] nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> offsets_of(block_distribution const& blocks);

/// The numbers of small arrays, end to end.
template <class T, std::size_t N>
[[nodiscard]] auto flat(std::vector<std::array<T, N>> const& arrays) {
    std::vector<T> numbers;
    numbers.reserve(arrays.size() * N);
    for (auto const& each : arrays) numbers.insert(numbers.end(), each.begin(), each.end());
    return array_of(std::move(numbers));
}

/// Fields as Python has them: names, numbers of each point or cell of this rank, and all of these.
using given_fields = std::vector<
    std::tuple<std::string, int, nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>>>;

[[nodiscard]] std::vector<named_values> fields_of(given_fields const& given);
/// Arrays of one dimension, or of two where a point has several numbers.
[[nodiscard]] dict_by_name dict_of(std::vector<named_values> fields);
/// The arrays and counts of a surface.
[[nodiscard]] dict_by_name dict_of(contour_result&& found);

/// The small arrays of which `numbers` has the numbers, end to end.
template <std::size_t N, class T>
[[nodiscard]] std::vector<std::array<T, N>> in_groups(
    nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu> const& numbers) {
    std::vector<std::array<T, N>> made(numbers.size() / N);
    for (std::size_t i = 0; i < made.size(); ++i)
        for (std::size_t k = 0; k < N; ++k) made[i][k] = numbers.data()[i * N + k];
    return made;
}

} // namespace weft::python
