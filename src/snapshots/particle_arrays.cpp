// NumPy arrays of places, and checkpoints.
#include "snapshot_formats.hpp"

#include <io/formats/numpy_header.hpp>

#include <weft/core/error.hpp>

#include <array>
#include <bit>
#include <cstring>

namespace weft::snapshots {

bool is_numpy(file_handle const& file) {
    std::array<char, 6> first{};
    return file.read(first.data(), first.size(), 0) == first.size() &&
           std::string_view(first.data(), first.size()) == io::numpy_magic;
}

found_particles read_places(file_handle const& file, reader_place const& where) {
    io::numpy_header const head = io::read_numpy_header(file);
    if (head.shape.size() != 2 || head.shape[1] != 3 || head.kind != 'f' ||
        (head.item_bytes != 4 && head.item_bytes != 8))
        throw io_error(file.path().string() +
                       ": expected places as an array of shape (particles, 3) of float32 or "
                       "float64");
    found_particles found;
    found.masses_known = false;
    found.total = head.shape[0];
    found.read.format = "NumPy array of float" + std::to_string(8 * head.item_bytes);
    bool const swapped = head.big_endian != (std::endian::native == std::endian::big);
    auto const [first, last] = detail::even_shares(found.total, where.ranks)[where.rank];
    found.read.particles.resize(static_cast<std::size_t>(last - first));
    auto const numbers = [&](std::int64_t from, std::int64_t count) {
        return read_numbers(file, head.data + from * head.item_bytes, count, head.item_bytes, swapped);
    };
    auto& particles = found.read.particles;
    if (head.fortran_order) {
        for (std::size_t d = 0; d < 3; ++d) {
            auto const some = numbers(static_cast<std::int64_t>(d) * found.total + first, last - first);
            for (std::size_t i = 0; i < some.size(); ++i) particles[i].position[d] = some[i];
        }
    } else {
        auto const all = numbers(3 * first, 3 * (last - first));
        for (std::size_t i = 0; i < all.size(); ++i) particles[i / 3].position[i % 3] = all[i];
    }
    for (std::size_t i = 0; i < particles.size(); ++i) {
        particles[i].index = first + static_cast<std::int64_t>(i);
        particles[i].id = particles[i].index + 1;
    }
    return found;
}

bool is_checkpoint(file_handle const& file) {
    checkpoint_head const expected;
    std::array<char, sizeof expected.magic> first{};
    return file.read(first.data(), first.size(), 0) == first.size() &&
           std::memcmp(first.data(), expected.magic, first.size()) == 0;
}

found_particles read_checkpoint(file_handle const& file, reader_place const& where) {
    checkpoint_head head;
    file.read_all(std::as_writable_bytes(std::span(&head, 1)), 0);
    if (head.byte_order != checkpoint_head().byte_order)
        throw io_error(file.path().string() + ": a checkpoint of a machine with another byte order");
    constexpr auto head_bytes = static_cast<std::int64_t>(sizeof head);
    constexpr auto each_bytes = static_cast<std::int64_t>(sizeof(particle));
    if (head.particles < 0 || head.particles > file.size() / each_bytes ||
        file.size() != head_bytes + head.particles * each_bytes)
        throw io_error(file.path().string() + ": the checkpoint is cut short or damaged");
    found_particles found;
    found.total = head.particles;
    found.read.format = "checkpoint";
    found.read.time = head.time;
    found.read.checkpoint = head.state;
    auto const [first, last] = detail::even_shares(found.total, where.ranks)[where.rank];
    found.read.particles.resize(static_cast<std::size_t>(last - first));
    file.read_all(std::as_writable_bytes(std::span(found.read.particles)), head_bytes + first * each_bytes);
    for (particle const& each : found.read.particles)
        if (each.kind < 0 || each.kind > 5)
            throw io_error(file.path().string() + ": the checkpoint is damaged: a particle of kind " +
                           std::to_string(each.kind));
    return found;
}

} // namespace weft::snapshots
