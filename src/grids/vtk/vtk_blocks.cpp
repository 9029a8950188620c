#include <grids/vtk/vtk_blocks.hpp>

#include <grids/vtk/vtk_complaints.hpp>

#include <weft/core/error.hpp>

#include <vtkDataCompressor.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkLZMADataCompressor.h>
#include <vtkSmartPointer.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

class block_bytes final : public byte_reader {
public:
    block_bytes(
        std::unique_ptr<byte_reader> packed, block_sizes sizes, block_unpacker unpack, std::string where)
        : packed_(std::move(packed)),
          sizes_(std::move(sizes)),
          unpack_(std::move(unpack)),
          where_(std::move(where)) {
        for (std::int64_t const each : sizes_.packed) starts_.push_back(starts_.back() + each);
    }

    void read_all(std::span<std::byte> into, std::int64_t offset) override {
        while (!into.empty()) {
            auto const number = static_cast<std::size_t>(offset / sizes_.each);
            auto const within = static_cast<std::size_t>(offset % sizes_.each);
            load(number);
            if (within >= block_.size()) fail(number);
            std::size_t const taken = std::min(block_.size() - within, into.size());
            std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(within), taken, into.begin());
            into = into.subspan(taken);
            offset += static_cast<std::int64_t>(taken);
        }
    }

private:
    void load(std::size_t number) {
        if (number == held_) return;
        if (number >= sizes_.packed.size()) fail(number);
        bool const is_short = number + 1 == sizes_.packed.size() && sizes_.last > 0;
        std::vector<std::byte> packed(static_cast<std::size_t>(sizes_.packed[number]));
        packed_->read_all(packed, starts_[number]);
        held_ = none;
        block_.resize(static_cast<std::size_t>(is_short ? sizes_.last : sizes_.each));
        if (!unpack_(packed, block_)) fail(number);
        held_ = number;
    }

    [[noreturn]] void fail(std::size_t number) const {
        throw io_error(where_ + " cannot be unpacked: block " + std::to_string(number) +
                       " is damaged; copy the file again");
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::unique_ptr<byte_reader> packed_;
    block_sizes sizes_;
    block_unpacker unpack_;
    std::string where_;
    std::vector<std::int64_t> starts_{0};
    std::vector<std::byte> block_;
    std::size_t held_ = none; // number of the decompressed block
};

} // namespace

std::int64_t block_sizes::total() const noexcept {
    auto const blocks = static_cast<std::int64_t>(packed.size());
    return last > 0 ? (blocks - 1) * each + last : blocks * each;
}

block_unpacker unpacker_named(std::string const& compressor) {
    vtkSmartPointer<vtkDataCompressor> by;
    if (compressor == "vtkZLibDataCompressor") by = vtkSmartPointer<vtkZLibDataCompressor>::New();
    if (compressor == "vtkLZ4DataCompressor") by = vtkSmartPointer<vtkLZ4DataCompressor>::New();
    if (compressor == "vtkLZMADataCompressor") by = vtkSmartPointer<vtkLZMADataCompressor>::New();
    if (!by) return {};
    return [by](std::span<std::byte const> packed, std::span<std::byte> into) {
        vtk_complaints const heard;
        return by->Uncompress(reinterpret_cast<unsigned char const*>(packed.data()), packed.size(),
                   reinterpret_cast<unsigned char*>(into.data()), into.size()) == into.size() &&
               heard.first().empty();
    };
}

std::unique_ptr<byte_reader> bytes_in_blocks(
    std::unique_ptr<byte_reader> packed, block_sizes sizes, block_unpacker unpack, std::string where) {
    return std::make_unique<block_bytes>(
        std::move(packed), std::move(sizes), std::move(unpack), std::move(where));
}

} // namespace weft
