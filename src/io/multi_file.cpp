#include <weft/io/multi_file.hpp>

#include <files/file_handle.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/keys.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t longest_name = 255;

/// The texts for one file that are not written yet, and the bytes that are.
struct keyed_text {
    std::string waiting;
    std::int64_t written = 0;
};

/// The files of the keys that a rank owns.
class owned_files final : public detail::counted {
public:
    owned_files(std::filesystem::path folder, multi_file_options options)
        : folder_(std::move(folder)), options_(std::move(options)) {}
    ~owned_files() override { remove(); }

    // What `keyed_receiver` asks of a part; there is nothing to fetch before it is needed.
    [[nodiscard]] static std::uint64_t locate(std::string_view) noexcept { return 0; }
    static void prefetch(std::uint64_t) noexcept {}
    static void prefetch_entry(std::uint64_t) noexcept {}

    void append(std::string_view key, std::string_view text) {
        texts_[std::string(key)].waiting.append(text);
        waiting_ += std::ssize(text);
        if (waiting_ > options_.buffer_bytes) write_all();
    }
    /// Throws: `io_error`.
    void write_all() {
        for (auto& [key, text] : texts_) write(key, text);
        waiting_ = 0;
    }
    [[nodiscard]] multi_file_totals totals() const {
        multi_file_totals mine{.files = std::ssize(texts_)};
        for (auto const& [key, text] : texts_) mine.bytes += text.written;
        return mine;
    }
    /// The files are no longer this rank's.
    void give_up() noexcept {
        texts_.clear();
        folder_.clear();
    }
    /// Removes the files, and the folder once it is empty.
    void remove() noexcept {
        if (folder_.empty()) return;
        std::error_code ignored;
        for (auto const& [key, text] : std::exchange(texts_, {}))
            std::filesystem::remove(path_of(key), ignored);
        std::filesystem::remove(folder_, ignored);
    }

private:
    [[nodiscard]] std::filesystem::path path_of(std::string const& key) const {
        return folder_ / (file_name_of_key(key) + options_.ending);
    }
    void write(std::string const& key, keyed_text& text) const {
        if (text.waiting.empty() && text.written > 0) return;
        file_handle file = file_handle::open_to_append(path_of(key));
        file.write(text.waiting.data(), text.waiting.size(), text.written);
        file.close();
        text.written += std::ssize(text.waiting);
        text.waiting = {};
    }

    std::filesystem::path folder_;
    multi_file_options options_;
    std::unordered_map<std::string, keyed_text> texts_;
    std::int64_t waiting_ = 0;
};

/// The path without slashes at its end, beside which a folder can be made.
std::filesystem::path without_slashes(std::string const& folder) {
    return folder.substr(0, folder.find_last_not_of('/') + 1);
}

bool is_plain_in_names(unsigned char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80 ||
           std::string_view(" -_.,+=@").find(static_cast<char>(c)) != std::string_view::npos;
}

} // namespace

class multi_file::state {
public:
    state(mailbox& mail, std::string const& folder, multi_file_options const& options)
        : mail_(mail),
          folder_(without_slashes(folder)),
          unfinished_(folder_.string() + ".unfinished"),
          ending_(options.ending) {
        gate call(mail_.comm(), "multi_file");
        call.same("the folder", folder).same("ending", options.ending);
        agreed(call, [&] {
            if (std::string const name = folder_.filename(); name.empty() || name == "." || name == "..")
                throw usage_error("multi_file: expected the name of a folder, found \"" + folder + "\"");
            if (options.ending.find('/') != std::string::npos ||
                options.ending.find('\0') != std::string::npos)
                throw usage_error("multi_file: expected an ending without a slash, found " + options.ending);
            if (options.buffer_bytes < 0)
                throw usage_error("multi_file: buffer_bytes is " + std::to_string(options.buffer_bytes));
            if (mail_.comm().rank() == 0) make_folder();
        });
        owned_ = detail::shared<owned_files>(new owned_files(unfinished_, options));
        channel_ = mail_.make<detail::container_call::move, std::string, std::string>(
            owned_, [](owned_files& files, int, std::uint64_t, std::string_view key, std::string_view text) {
                files.append(key, text);
            });
    }

    void write(std::string_view key, std::string_view text) const try {
        if (is_closed_) throw usage_error("multi_file::write: the folder is closed");
        if (key.size() + ending_.size() > longest_name / 3) expect_short(key);
        int const to = detail::owner_of_hash(detail::hash_of_key<std::string>(key), mail_.engine().size());
        detail::send_record<std::string, std::string>(mail_.engine(), to, channel_, key, text);
    } catch (std::bad_alloc const&) { // the text would be missing in the file
        alone_unless_agreed("multi_file");
        throw;
    }

    multi_file_totals close() {
        gate call(mail_.comm(), "multi_file::close");
        agreed(call, [&] {
            if (is_closed_) throw usage_error("multi_file::close: the folder is closed already");
        });
        is_closed_ = true;
        try {
            return complete(call);
        } catch (...) {
            // All ranks are here, and the last one to remove its files removes the folder.
            owned_->remove();
            throw;
        }
    }

private:
    multi_file_totals complete(gate& call) {
        mail_.mail().drain();
        multi_file_totals mine;
        agreed(call, [&] {
            owned_->write_all();
            mine = owned_->totals();
        });
        multi_file_totals const all{sum(mail_.comm(), mine.files), sum(mail_.comm(), mine.bytes)};
        agreed(call, [&] {
            if (mail_.comm().rank() != 0) return;
            std::error_code failure;
            std::filesystem::rename(unfinished_, folder_, failure);
            if (failure) throw io_error(system_complaint(folder_, "write", failure.value()));
        });
        owned_->give_up();
        return all;
    }
    void make_folder() const {
        std::error_code failure;
        bool const is_there = std::filesystem::exists(folder_, failure);
        if (is_there && !std::filesystem::is_directory(folder_, failure))
            throw io_error(system_complaint(folder_, "write", ENOTDIR));
        if (is_there && !std::filesystem::is_empty(folder_, failure))
            throw io_error(folder_.string() + ": cannot write: expected an empty folder or none, found files "
                                              "in it (remove them, or name another folder)");
        bool const is_made = std::filesystem::create_directory(unfinished_, failure);
        if (failure) throw io_error(system_complaint(unfinished_, "make", failure.value()));
        if (!is_made)
            throw io_error(unfinished_.string() + ": cannot make: a program writes it, or was ended while it "
                                                  "did (then remove it)");
    }
    void expect_short(std::string_view key) const {
        std::size_t const bytes = file_name_of_key(key).size() + ending_.size();
        if (bytes > longest_name)
            throw usage_error("multi_file::write: expected a key whose file has a name of at most " +
                              std::to_string(longest_name) + " bytes, found one of " + std::to_string(bytes));
    }

    detail::container_mail mail_;
    std::filesystem::path folder_;
    std::filesystem::path unfinished_;
    std::string ending_;
    detail::shared<owned_files> owned_;
    int channel_ = 0;
    bool is_closed_ = false;
};

std::string file_name_of_key(std::string_view key) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    if (key.empty()) return "%";
    std::string name;
    for (char const each : key) {
        auto const c = static_cast<unsigned char>(each);
        if (is_plain_in_names(c) && !(name.empty() && c == '.'))
            name += each;
        else
            ((name += '%') += digits[c >> 4U]) += digits[c & 15U];
    }
    return name;
}

multi_file::multi_file(mailbox& mail, std::string const& folder, multi_file_options const& options) try
    : state_(std::make_unique<state>(mail, folder, options)) {
} catch (std::bad_alloc const&) {
    alone_unless_agreed("multi_file");
    throw;
}
multi_file::multi_file(multi_file&&) noexcept = default;
multi_file& multi_file::operator=(multi_file&&) noexcept = default;
multi_file::~multi_file() = default;

void multi_file::write(std::string_view key, std::string_view text) const {
    state_->write(key, text);
}

multi_file_totals multi_file::close() try { return state_->close(); } catch (std::bad_alloc const&) {
    alone_unless_agreed("multi_file");
    throw;
}

} // namespace weft
