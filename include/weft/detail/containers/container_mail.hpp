/// The channels of a container on its mailbox.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

[[noreturn]] void changed_while_walked(char const* call);

/// Closes its channels when it is destroyed. Movable, not copyable.
class container_mail {
public:
    explicit container_mail(mailbox& mail) noexcept : mail_(&mail), engine_(&mailbox_parts::engine(mail)) {}
    container_mail(container_mail&& other) noexcept
        : mail_(other.mail_), engine_(other.engine_), channels_(std::exchange(other.channels_, {})) {}
    container_mail& operator=(container_mail other) noexcept {
        std::swap(mail_, other.mail_);
        std::swap(engine_, other.engine_);
        channels_.swap(other.channels_);
        return *this;
    }
    ~container_mail() { close(); }

    [[nodiscard]] mailbox& mail() const noexcept { return *mail_; }
    [[nodiscard]] mail_engine& engine() const noexcept { return *engine_; }
    [[nodiscard]] communicator const& comm() const noexcept { return mail_->comm(); }

    int keep(mail_channel* made);
    template <container_call Call, class K, class... A, class Part, class Apply>
    int make(shared<Part> const& part, Apply apply) {
        return keep(new keyed_receiver<Call, Part, Apply, K, A...>(part, std::move(apply)));
    }

    /// Waits for all messages, runs `body`, which may send, and waits again; errors of `body` are agreed.
    template <class Body>
    void phase(char const* call, Body&& body) const {
        mail_->drain();
        try {
            std::forward<Body>(body)();
        } catch (...) { engine_->fail(std::current_exception(), std::string(call) + ": "); }
        mail_->drain();
    }

private:
    void close() noexcept;

    mailbox* mail_;
    mail_engine* engine_;
    std::vector<int> channels_;
};

} // namespace weft::detail
