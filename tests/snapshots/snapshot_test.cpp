#include <weft/snapshots/snapshot.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>
#include <io/shared_folder.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using weft::particle;

/// Numbers as bytes in either order.
class bytes {
public:
    explicit bytes(bool swapped) : swapped_(swapped) {}
    template <class T>
    bytes& add(T value) {
        std::array<char, sizeof(T)> raw;
        std::memcpy(raw.data(), &value, sizeof value);
        if (swapped_) std::ranges::reverse(raw);
        text.append(raw.data(), raw.size());
        return *this;
    }
    bytes& add_block(bytes const& content, char const* name = nullptr) {
        auto const length = static_cast<std::int32_t>(content.text.size());
        if (name != nullptr) {
            add(std::int32_t{8});
            text += name;
            add(length + 8).add(std::int32_t{8});
        }
        add(length);
        text += content.text;
        return add(length);
    }
    std::string text;

private:
    bool swapped_;
};

/// Two particles of gas of own masses, three of dark matter of mass 4 each.
std::string gadget(
    bool swapped, bool named, double box = 0, int files = 1, std::vector<bytes> const& before_masses = {}) {
    bytes head(swapped);
    for (int const count : {2, 3, 0, 0, 0, 0}) head.add(count);
    for (double const mass : {0.0, 4.0, 0.0, 0.0, 0.0, 0.0}) head.add(mass);
    head.add(0.5).add(0.0).add(0).add(0);
    for (int const count : {2, 3, 0, 0, 0, 0}) head.add(count);
    head.add(0).add(files).add(box);
    head.text.resize(256);
    bytes places(swapped);
    bytes velocities(swapped);
    bytes ids(swapped);
    bytes masses(swapped);
    for (int i = 0; i < 15; ++i) {
        places.add(static_cast<float>(i));
        velocities.add(static_cast<float>(-i));
    }
    for (int i = 0; i < 5; ++i) ids.add(100 + i);
    masses.add(1.0F).add(2.0F);
    bytes all(swapped);
    all.add_block(head, named ? "HEAD" : nullptr).add_block(places, named ? "POS " : nullptr);
    all.add_block(velocities, named ? "VEL " : nullptr).add_block(ids, named ? "ID  " : nullptr);
    for (bytes const& each : before_masses) all.add_block(each, named ? "MORE" : nullptr);
    all.add_block(masses, named ? "MASS" : nullptr);
    return all.text;
}

std::string tipsy(bool swapped, bool padded = true) {
    bytes all(swapped);
    all.add(0.5).add(5).add(3).add(2).add(3).add(0);
    if (padded) all.add(0);
    for (int i = 0; i < 5; ++i) {
        all.add(i < 2 ? static_cast<float>(1 + i) : 4.0F);
        for (int d = 0; d < 3; ++d) all.add(static_cast<float>(3 * i + d));
        for (int d = 0; d < 3; ++d) all.add(static_cast<float>(-3 * i - d));
        if (i < 2) all.add(0.0F).add(0.0F);
        all.add(0.25F); // softening
        if (i < 2) all.add(0.0F);
        all.add(0.0F);
    }
    return all.text;
}

std::string const table = "# made by hand\nid;vx;vy;vz;x;y;z;m\n100;0;-1;-2;0;1;2;1\n101;-3;-4;-5;3;4;5;2\n"
                          "102;-6;-7;-8;6;7;8;4\r\n\n103;-9;-10;-11;9;10;11;4\n104;-12;-13;-14;12;13;14;4";

class snapshot : public weft_test::with_folder {
protected:
    std::string file_with(std::string const& name, std::string const& text) {
        std::string const file = path(name);
        weft_test::meet(); // nobody reads the file of before any more
        if (weft_test::rank() == 0) std::ofstream(file, std::ios::binary) << text;
        weft_test::meet();
        return file;
    }
    static std::vector<particle> all_of(weft::snapshot const& found) {
        return weft::all_gatherv(weft_test::world(), found.particles);
    }
    std::vector<particle> read(std::string const& file, weft::snapshot_options const& options = {}) {
        return all_of(weft::read_particles(weft_test::world(), file, options));
    }
    void expect_refused(std::string const& file, std::string const& why) {
        try {
            (void)read(file);
            ADD_FAILURE() << file << " was read";
        } catch (weft::io_error const& caught) {
            EXPECT_NE(std::string(caught.what()).find(why), std::string::npos) << caught.what();
        }
    }

    static void expect_the_five(std::vector<particle> const& found, bool with_ids) {
        ASSERT_EQ(found.size(), 5u);
        for (std::size_t i = 0; i < 5; ++i) {
            for (std::size_t d = 0; d < 3; ++d) {
                EXPECT_EQ(found[i].position[d], static_cast<double>(3 * i + d));
                EXPECT_EQ(found[i].velocity[d], -static_cast<double>(3 * i + d));
            }
            EXPECT_EQ(found[i].mass, i < 2 ? static_cast<double>(1 + i) : 4.0);
            EXPECT_EQ(found[i].index, static_cast<std::int64_t>(i));
            EXPECT_EQ(found[i].id, with_ids ? 100 + static_cast<int>(i) : 1 + static_cast<int>(i));
        }
    }
};

} // namespace

TEST_F(snapshot, gadget_of_both_formats_and_byte_orders) {
    for (bool const swapped : {false, true})
        for (bool const named : {false, true}) {
            auto const found =
                weft::read_particles(weft_test::world(), file_with("five.dat", gadget(swapped, named)));
            EXPECT_EQ(found.time, 0.5);
            EXPECT_EQ(found.format,
                std::string("GADGET format ") + (named ? "2" : "1") +
                    (swapped == (std::endian::native == std::endian::little) ? ", big endian"
                                                                             : ", little endian"));
            auto const all = all_of(found);
            expect_the_five(all, true);
            EXPECT_EQ(all[1].kind, 0);
            EXPECT_EQ(all[2].kind, 1);
        }
}

TEST_F(snapshot, tipsy_of_both_byte_orders) {
    for (bool const swapped : {false, true}) {
        auto const found = read(file_with("five.std", tipsy(swapped)));
        expect_the_five(found, false);
        for (particle const& each : found) EXPECT_EQ(each.softening, 0.25);
        EXPECT_EQ(read(path("five.std"), {.softening = 0.5})[3].softening, 0.5);
        expect_the_five(read(file_with("short.std", tipsy(swapped, false))), false);
    }
}

TEST_F(snapshot, gadget_with_other_blocks_before_the_masses) {
    auto const block = [](bool swapped, auto first, auto second) {
        bytes made(swapped);
        made.add(first).add(second);
        return made;
    };
    for (bool const swapped : {false, true}) {
        for (bytes const& other : {block(swapped, 0, 0), block(swapped, 3, 7), block(swapped, -1.0F, 1.0F),
                 block(swapped, 1e-25F, 1.0F), block(swapped, 1.0, 2.0)}) {
            std::string const why =
                other.text.size() > 8 ? "numbers of 8 bytes" : "where format 1 has the masses";
            expect_refused(file_with("more.dat", gadget(swapped, false, 0, 1, {other})), why);
            expect_the_five(read(file_with("named.dat", gadget(swapped, true, 0, 1, {other}))), true);
        }
        // A block of the length of the masses, where that of the energies of two particles should be.
        bytes const three = [&] {
            bytes made(swapped);
            return made.add(1.0F).add(2.0F).add(3.0F);
        }();
        expect_refused(
            file_with("odd.dat", gadget(swapped, false, 0, 1, {three})), "block MASS has 12 bytes");
    }
}

TEST_F(snapshot, tables) {
    expect_the_five(read(file_with("five.csv", table)), true);
    auto const bare = read(file_with("bare.csv", "1,2,3\n4,5,6\n"), {.total_mass = 3});
    ASSERT_EQ(bare.size(), 2u);
    EXPECT_EQ(bare[1].position, (std::array<double, 3>{4, 5, 6}));
    EXPECT_EQ(bare[1].mass, 1.5);
    EXPECT_TRUE(read(file_with("none.csv", "x,y,z\n")).empty());
    EXPECT_TRUE(read(file_with("empty.csv", "")).empty());
}

TEST_F(snapshot, numpy_places) {
    std::string const text = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    bytes file(std::endian::native == std::endian::big);
    file.text = "\x93NUMPY\x01";
    file.text += '\0';
    file.add(static_cast<std::uint16_t>(118));
    file.text += text + std::string(117 - text.size(), ' ') + "\n";
    for (int i = 0; i < 6; ++i) file.add(static_cast<double>(i));
    auto const found = read(file_with("two.npy", file.text));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[1].position, (std::array<double, 3>{3, 4, 5}));
    EXPECT_EQ(found[1].mass, 0.5);
}

TEST_F(snapshot, what_is_no_snapshot_is_refused) {
    std::string const good = gadget(false, false);
    for (std::size_t const size : {std::size_t{0}, std::size_t{100}, std::size_t{264}, good.size() - 1})
        EXPECT_THROW((void)read(file_with("short.dat", good.substr(0, size))), weft::io_error) << size;
    expect_refused(file_with("box.dat", gadget(false, false, 100)), "periodic");
    expect_refused(file_with("part.dat", gadget(false, true, 0, 4)), "one of 4 files");
    expect_refused(file_with("odd.csv", "x,y,z\n1,2\n"), "3 fields");
    expect_refused(file_with("word.csv", "x,y,z\n1,2,three\n"), "three");
    expect_refused(file_with("plane.csv", "x,y,w\n1,2,3\n"), "'z'");
    expect_refused(file_with("id.csv", "x,y,z,id\n1,2,3,1e300\n"), "an id of at most 2^53");
    bytes many(false);
    many.text = "WEFTNBO1";
    many.add(std::int64_t{1} << 58).text.append(40, '\0');
    expect_refused(file_with("many.wnb", many.text), "byte order");
    expect_refused(path("missing.dat"), "missing.dat");
}

TEST_F(snapshot, files_that_are_written_are_read_again) {
    auto const found = weft::read_particles(weft_test::world(), file_with("five.csv", table));
    std::vector<particle> mine;
    // Dealt in another way.
    auto const all = all_of(found);
    mine = weft_test::rank() == 0 ? all : std::vector<particle>();
    for (auto const* const name : {"again.csv", "again.dat"}) {
        weft::write_particles(weft_test::world(), path(name), mine, 0.75);
        expect_the_five(read(path(name)), true);
    }
    weft::write_checkpoint(weft_test::world(), path("later.wnb"), mine, 0.75, {12, -3.5, 43.5});
    auto const checkpoint = weft::read_particles(weft_test::world(), path("later.wnb"));
    expect_the_five(all_of(checkpoint), true);
    EXPECT_EQ(checkpoint.time, 0.75);
    ASSERT_TRUE(checkpoint.checkpoint.has_value());
    EXPECT_EQ(checkpoint.checkpoint->step, 12);
    EXPECT_EQ(checkpoint.checkpoint->initial_energy, -3.5);
    EXPECT_EQ(checkpoint.checkpoint->gravitational_constant, 43.5);
    weft::write_particles(weft_test::world(), path("again.vtp"), mine);
    std::ifstream in(path("again.vtp"), std::ios::binary);
    std::string const text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("NumberOfPoints=\"5\""), std::string::npos);
    std::size_t const data = text.find('_', text.find("<AppendedData")) + 1;
    double first_velocity[15];
    ASSERT_GT(text.size(), data + 8 + sizeof first_velocity);
    std::memcpy(first_velocity, text.data() + data + 8, sizeof first_velocity);
    for (int i = 0; i < 15; ++i) EXPECT_EQ(first_velocity[i], -i);
}

TEST_F(snapshot, forces_are_written_by_index) {
    auto found =
        weft::read_particles(weft_test::world(), file_with("two.csv", "x,y,z,m\n0,0,0,1\n2,0,0,1\n"));
    weft::nbody_system system(weft_test::world(), std::move(found.particles));
    system.find_forces();
    weft::write_forces(weft_test::world(), path("forces.csv"), system);
    std::ifstream in(path("forces.csv"));
    std::string const text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("index,ax,ay,az,potential\n0,0.25"), std::string::npos) << text;
}

TEST_F(snapshot, indices_that_do_not_count_the_particles_are_an_error_on_all_ranks) {
    auto const here = static_cast<std::int64_t>(weft_test::rank());
    auto const written = [&](std::int64_t index, std::int64_t kind, char const* name) {
        std::vector<particle> mine(2);
        mine[0].index = 2 * here;
        mine[1].index = 2 * here + 1;
        if (here == weft_test::size() - 1) {
            mine[1].index = index;
            mine[1].kind = kind;
        }
        weft::write_particles(weft_test::world(), path(name).string(), mine);
    };
    std::int64_t const last = 2 * weft_test::size() - 1;
    for (char const* const name : {"twice.csv", "twice.vtp", "twice.gadget"}) {
        EXPECT_THROW(written(0, 1, name), weft::usage_error) << name;
        EXPECT_THROW(written(last - 1, 1, name), weft::usage_error) << name;
        EXPECT_THROW(written(last + 1, 1, name), weft::usage_error) << name;
        EXPECT_THROW(written(-1, 1, name), weft::usage_error) << name;
        EXPECT_NO_THROW(written(last, 1, name)) << name;
    }
    EXPECT_THROW(written(last, 6, "kinds.gadget"), weft::usage_error);
    EXPECT_THROW(written(last, -1, "kinds.gadget"), weft::usage_error);
}
