/// Immutable bytes with shared ownership, passed on without a copy.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace weft::detail {

/// Shares the ownership of bytes that no longer change: those of a vector that was moved in, or of a received
/// message. Copies are cheap. Several threads may make and destroy them.
class blob {
public:
    blob() noexcept = default;
    blob(blob const& other) = default;
    blob(blob&& other) noexcept : owner_(std::move(other.owner_)), bytes_(std::exchange(other.bytes_, {})) {}
    blob& operator=(blob other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    /// Takes over a container of contiguous, trivially copyable elements.
    template <class Container>
    [[nodiscard]] static blob of(Container&& elements) {
        auto* const made = new holder<std::remove_cvref_t<Container>>(std::forward<Container>(elements));
        blob result;
        result.bytes_ = std::as_bytes(std::span(made->held.data(), made->held.size()));
        result.owner_ = shared<counted>(made);
        return result;
    }
    /// Takes over a buffer.
    [[nodiscard]] static blob of(buffer&& bytes) {
        auto* const made = new holder<buffer>(std::move(bytes));
        blob result;
        result.bytes_ = std::as_const(made->held).bytes();
        result.owner_ = shared<counted>(made);
        return result;
    }
    /// Returns a part of these bytes; it keeps all of them alive.
    [[nodiscard]] blob part(std::size_t at, std::size_t size) const {
        blob result(*this);
        result.bytes_ = bytes_.subspan(at, size);
        return result;
    }

    [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return bytes_; }

private:
    template <class Held>
    struct holder final : counted {
        explicit holder(Held&& given) : held(std::move(given)) {}
        Held held;
    };

    shared<counted> owner_;
    std::span<std::byte const> bytes_;
};

} // namespace weft::detail
