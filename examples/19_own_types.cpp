/// Types of your own as messages: a hook lists the members, and containers inside travel too. The same hook
/// serves files. Run: mpirun -n 4 example_19_own_types
#include <weft/collective/gather.hpp>
#include <weft/core/topology.hpp>
#include <weft/weft.hpp>
#include <weft/wire/wire.hpp>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct parcel {
    std::string name;
    std::vector<int> items;
    std::map<std::string, double> prices;
    static void wire(auto& archive, auto& self) { archive(self.name, self.items, self.prices); }
};

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        int const next = (comm.rank() + 1) % comm.size();
        weft::outbox<parcel> out{comm};
        out[next].push_back({"from " + std::to_string(comm.rank()), {1, 2, 3}, {{"bread", 2.5}}});

        weft::inbox<parcel> const in = weft::exchange(std::move(out));
        std::string names;
        for (auto [source, parcels] : in)
            for (parcel const& each : parcels) names += each.name;

        weft::buffer bytes; // as for a file, or a message of another library
        weft::encode(bytes, parcel{"kept", {4}, {}});
        auto const again = weft::decode<parcel>(bytes.bytes());

        std::vector<std::string> const all = weft::all_gather(comm, names);
        weft::topology const& places = comm.topology(); // which ranks share memory
        if (comm.rank() == 0)
            std::printf("rank 0 has a parcel %s; the last rank one %s; %s has %zu item; %d node\n",
                names.c_str(), all.back().c_str(), again.name.c_str(), again.items.size(),
                places.node_count());
    });
}
