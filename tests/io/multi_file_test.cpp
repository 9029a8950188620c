#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/multi_file.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <map>
#include <sstream>

using namespace weft_test;

namespace {

class multi_files : public with_folder {
protected:
    /// The content of all files of a folder by name.
    static std::map<std::string, std::string> files_of(std::filesystem::path const& folder) {
        std::map<std::string, std::string> found;
        for (auto const& each : std::filesystem::directory_iterator(folder))
            found[each.path().filename().string()] = content_of(each.path());
        return found;
    }
};

TEST_F(multi_files, have_the_texts_of_their_keys_from_all_ranks) {
    std::vector<std::string> const keys{
        "", ".", "..", "a/b", "a%2Fb", "Zürich", "New York", "\n", "-x", ".a"};
    std::vector<std::string> const names{
        "%", "%2E", "%2E.", "a%2Fb", "a%252Fb", "Zürich", "New York", "%0A", "-x", "%2Ea"};
    for (std::int64_t const buffer : {0, 500, 1 << 20}) {
        auto const folder = path("of " + std::to_string(buffer)).string();
        weft::mailbox mail(world());
        weft::multi_file out(mail, folder, {.ending = ".txt", .buffer_bytes = buffer});
        for (int line = 0; line < 300; ++line) {
            auto const key = static_cast<std::size_t>(line) % keys.size();
            out.write(keys[key], std::to_string(rank()) + " " + std::to_string(line) + "\n");
        }
        auto const totals = out.close();
        EXPECT_EQ(totals.files, std::ssize(keys));
        auto const found = files_of(folder);
        EXPECT_EQ(found.size(), keys.size());
        std::int64_t bytes = 0;
        for (std::size_t key = 0; key < keys.size(); ++key) {
            EXPECT_EQ(weft::file_name_of_key(keys[key]), names[key]);
            ASSERT_TRUE(found.contains(names[key] + ".txt")) << names[key];
            std::string const& text = found.at(names[key] + ".txt");
            bytes += std::ssize(text);
            std::map<int, std::vector<int>> lines; // by rank, in their order
            std::istringstream in(text);
            for (int from = 0, line = 0; in >> from >> line;) lines[from].push_back(line);
            std::vector<int> expected;
            for (auto line = static_cast<int>(key); line < 300; line += static_cast<int>(keys.size()))
                expected.push_back(line);
            EXPECT_EQ(std::ssize(lines), size());
            for (auto const& [from, of_rank] : lines) EXPECT_EQ(of_rank, expected) << from;
        }
        EXPECT_EQ(totals.bytes, bytes);
        EXPECT_FALSE(std::filesystem::exists(folder + ".unfinished"));
    }
}

TEST_F(multi_files, without_a_text_are_an_empty_folder_and_empty_texts_make_files) {
    weft::mailbox mail(world());
    weft::multi_file none(mail, path("none"));
    EXPECT_EQ(none.close().files, 0);
    EXPECT_TRUE(files_of(path("none")).empty());
    weft::multi_file out(mail, path("none")); // an empty folder may be there
    if (rank() == size() - 1) out.write("a", "");
    EXPECT_EQ(out.close().files, 1);
    EXPECT_EQ(files_of(path("none")), (std::map<std::string, std::string>{{"a", ""}}));
}

TEST_F(multi_files, may_be_named_with_a_slash_at_the_end_and_need_a_name) {
    weft::mailbox mail(world());
    weft::multi_file out(mail, path("slash").string() + "//");
    if (rank() == 0) out.write("a", "b");
    EXPECT_EQ(out.close().files, 1);
    EXPECT_EQ(files_of(path("slash")), (std::map<std::string, std::string>{{"a", "b"}}));
    for (char const* const wrong : {"", "/", ".", "..", "slash/."})
        EXPECT_THROW(weft::multi_file(mail, wrong), weft::usage_error) << wrong;
}

TEST_F(multi_files, are_many_at_once) {
    weft::mailbox mail(world());
    weft::multi_file out(mail, path("many"), {.buffer_bytes = 2000});
    for (int i = rank(); i < 3000; i += size()) out.write(std::to_string(i), std::to_string(i * i));
    EXPECT_EQ(out.close().files, 3000);
    auto const found = files_of(path("many"));
    EXPECT_EQ(found.size(), 3000U);
    for (auto const& [name, text] : found) EXPECT_EQ(std::to_string(std::stoi(name) * std::stoi(name)), text);
}

TEST_F(multi_files, that_cannot_be_written_are_errors_of_all_ranks_and_leave_nothing) {
    weft::mailbox mail(world());
    auto const there = file("there", "x");
    EXPECT_THROW(weft::multi_file(mail, there), weft::io_error);
    EXPECT_THROW(weft::multi_file(mail, there / "in a file"), weft::io_error);
    EXPECT_THROW(weft::multi_file(mail, path("no") / "parent"), weft::io_error);
    EXPECT_THROW(weft::multi_file(mail, path("")), weft::io_error); // has a file
    EXPECT_THROW(weft::multi_file(mail, path("x"), {.ending = "a/b"}), weft::usage_error);
    EXPECT_THROW(weft::multi_file(mail, path("x"), {.buffer_bytes = -1}), weft::usage_error);
    meet();
    {
        weft::multi_file out(mail, path("gone"), {.buffer_bytes = 0});
        EXPECT_THROW(out.write(std::string(86, '/'), "x"), weft::usage_error);
        EXPECT_NO_THROW(out.write(std::string(85, '/'), "x"));
        EXPECT_NO_THROW(out.write(std::string(255, 'a'), "x"));
        EXPECT_THROW(weft::multi_file(mail, path("gone")), weft::io_error); // somebody writes it
        mail.drain();
        EXPECT_TRUE(std::filesystem::exists(path("gone.unfinished") / std::string(255, 'a')));
        meet();
    }
    meet();
    EXPECT_FALSE(std::filesystem::exists(path("gone.unfinished")));
    weft::multi_file out(mail, path("taken"));
    out.write("key", "text");
    (void)file("taken", "x"); // by somebody else
    EXPECT_THROW(out.close(), weft::io_error);
    EXPECT_THROW(out.close(), weft::usage_error);
    EXPECT_THROW(out.write("key", "text"), weft::usage_error);
    meet();
    EXPECT_FALSE(std::filesystem::exists(path("taken.unfinished")));
}

} // namespace
