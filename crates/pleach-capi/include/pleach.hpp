// Pleach for C++17: handles that free themselves, lambdas for callbacks, columns as typed views.
// The header needs no exceptions and throws none.
//
//     pleach::host host;
//     host.action("walk", [&](pleach::call call) { return game.walk(call.index()); });
//     auto image = pleach::image::load("camp.plc");
//     auto program = pleach::program::link(*image, host);
//     if (!program) { std::puts(pleach::last_error().c_str()); return; }
//     auto crowd = pleach::crowd::make(*program);
//     crowd->spawn("villager");
//     crowd->tick(now);
//
// A function that may fail returns a pleach::result: test it, then use it like a pointer.
// Everything else is documented in pleach.h. For functions that this header does not wrap,
// `handle()` returns the handle that the functions of pleach.h take.

#ifndef PLEACH_HPP
#define PLEACH_HPP

#include "pleach.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pleach {

// Returns the message of the last error on this thread.
inline std::string last_error() {
    std::string text(pleach_last_error(nullptr, 0), '\0');
    pleach_last_error(text.data(), text.size());
    text.resize(text.size() - 1);
    return text;
}

// Value of a successful call, or the status of a failed one.
template <class T> class result {
public:
    result(T value) : value_(std::move(value)), status_(PLEACH_OK) {}
    static result failure(pleach_status status) { return result(status, 0); }

    explicit operator bool() const { return status_ == PLEACH_OK; }
    pleach_status status() const { return status_; }
    T &operator*() & { return value_; }
    T &&operator*() && { return std::move(value_); }
    const T &operator*() const & { return value_; }
    T *operator->() { return &value_; }
    const T *operator->() const { return &value_; }

private:
    result(pleach_status status, int) : value_(), status_(status) {}
    T value_;
    pleach_status status_;
};

// Returns a result. Takes the value by reference, because the call that gives the status may write
// the value.
template <class T> result<std::decay_t<T>> made(pleach_status status, T &&value) {
    using kept = std::decay_t<T>;
    return status == PLEACH_OK ? result<kept>(std::forward<T>(value)) : result<kept>::failure(status);
}

// Handle that is freed by its owner's destructor.
class owned {
public:
    owned() = default;
    explicit owned(pleach_handle handle) : handle_(handle) {}
    owned(owned &&other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
    owned &operator=(owned &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~owned() { pleach_free(handle_); }
    pleach_handle handle() const { return handle_; }

private:
    pleach_handle handle_ = 0;
};

enum class outcome : std::uint32_t {
    failure = PLEACH_FAILURE,
    success = PLEACH_SUCCESS,
    running = PLEACH_RUNNING,
    fault = PLEACH_FAULT,
};

enum class effect : std::uint32_t {
    own = PLEACH_EFFECT_OWN,
    pure = PLEACH_EFFECT_PURE,
    world = PLEACH_EFFECT_WORLD,
};

// Entity of the game: any number that the game chooses; 0 is none.
struct entity {
    std::uint64_t id = 0;
    explicit operator bool() const { return id != 0; }
    friend bool operator==(entity one, entity other) { return one.id == other.id; }
    friend bool operator!=(entity one, entity other) { return one.id != other.id; }
};

// Text of a variable, by its number in a crowd, which `pleach_crowd_intern` gives; 0 is the empty text.
struct text_id {
    std::uint32_t id = 0;
    friend bool operator==(text_id one, text_id other) { return one.id == other.id; }
    friend bool operator!=(text_id one, text_id other) { return one.id != other.id; }
};

// Returns the number of a type of columns.
template <class T> constexpr std::uint32_t type_of() {
    if constexpr (std::is_same_v<T, std::int8_t>) return PLEACH_I8;
    else if constexpr (std::is_same_v<T, std::uint8_t>) return PLEACH_U8;
    else if constexpr (std::is_same_v<T, std::int16_t>) return PLEACH_I16;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return PLEACH_U16;
    else if constexpr (std::is_same_v<T, std::int32_t>) return PLEACH_I32;
    else if constexpr (std::is_same_v<T, std::int64_t>) return PLEACH_I64;
    else if constexpr (std::is_same_v<T, double>) return PLEACH_F64;
    else if constexpr (std::is_same_v<T, entity>) return PLEACH_ENTITY;
    else if constexpr (std::is_same_v<T, text_id>) return PLEACH_TEXT_TYPE;
    else {
        static_assert(std::is_same_v<T, float>, "variables have other types; booleans are `bits`");
        return PLEACH_F32;
    }
}

// Values of a variable, by lane. Tests as false if there is no variable of this type. In that case
// no lane may be read.
template <class T> class column {
public:
    explicit column(const pleach_column &raw) : values_(static_cast<T *>(raw.values)), size_(raw.lanes) {}
    T &operator[](std::size_t lane) const { return values_[lane]; }
    T *begin() const { return values_; }
    T *end() const { return values_ + size_; }
    std::size_t size() const { return size_; }
    explicit operator bool() const { return values_ != nullptr; }

private:
    T *values_;
    std::size_t size_;
};

// Booleans of a variable, by lane. Tests as false if there is no such variable. In that case no
// lane may be read.
class bits {
public:
    explicit bits(const pleach_column &raw) : words_(static_cast<std::uint64_t *>(raw.values)), size_(raw.lanes) {}
    bool operator[](std::size_t lane) const { return words_[lane / 64] >> lane % 64 & 1; }
    void set(std::size_t lane, bool value) const {
        const std::uint64_t bit = std::uint64_t{1} << lane % 64;
        words_[lane / 64] = value ? words_[lane / 64] | bit : words_[lane / 64] & ~bit;
    }
    std::uint64_t *words() const { return words_; }
    std::size_t size() const { return size_; }
    explicit operator bool() const { return words_ != nullptr; }

private:
    std::uint64_t *words_;
    std::size_t size_;
};

// Returns an agent's index, for tables of the game's own.
inline std::uint32_t index_of(pleach_agent agent) { return static_cast<std::uint32_t>(agent); }

// Call for one agent. Valid while the callback runs.
class call {
public:
    explicit call(const pleach_call *raw) : raw_(raw) {}
    const pleach_call &raw() const { return *raw_; }
    pleach_agent agent() const { return raw_->agent; }
    std::uint32_t index() const { return index_of(raw_->agent); }
    bool fresh() const { return raw_->fresh != 0; }
    std::int64_t now() const { return raw_->now; }
    std::int32_t arg_int(std::uint32_t index) const {
        std::int32_t value = 0;
        pleach_call_int(raw_->context, index, &value);
        return value;
    }
    float arg_float(std::uint32_t index) const {
        float value = 0;
        pleach_call_float(raw_->context, index, &value);
        return value;
    }
    std::int64_t arg_int64(std::uint32_t index) const {
        std::int64_t value = 0;
        pleach_call_int64(raw_->context, index, &value);
        return value;
    }
    double arg_double(std::uint32_t index) const {
        double value = 0;
        pleach_call_double(raw_->context, index, &value);
        return value;
    }
    entity arg_entity(std::uint32_t index) const {
        entity value;
        pleach_call_entity(raw_->context, index, &value.id);
        return value;
    }
    // Gives a value by an out argument: a number, an `entity`, a `text_id` or a `bool`.
    template <class T> pleach_status give(std::uint32_t index, T value) const {
        if constexpr (std::is_same_v<T, bool>) {
            const std::uint8_t truth = value;
            return pleach_call_give(raw_->context, index, PLEACH_BOOL, &truth);
        } else {
            return pleach_call_give(raw_->context, index, type_of<T>(), &value);
        }
    }
    std::string_view arg_text(std::uint32_t index) const {
        const char *text = nullptr;
        std::size_t length = 0;
        pleach_call_text(raw_->context, index, &text, &length);
        return {text, length};
    }
    double get(pleach_variable variable) const {
        double value = 0;
        pleach_call_get(raw_->context, variable, &value);
        return value;
    }
    pleach_status set(pleach_variable variable, double value) const {
        return pleach_call_set(raw_->context, variable, value);
    }
    // Returns the exact value of a variable of this type; zero if it has another type.
    template <class T> T read(pleach_variable variable) const {
        T value{};
        pleach_call_read(raw_->context, variable, type_of<T>(), &value);
        return value;
    }
    template <class T> pleach_status write(pleach_variable variable, T value) const {
        return pleach_call_write(raw_->context, variable, type_of<T>(), &value);
    }

private:
    const pleach_call *raw_;
};

// Call for several agents. Valid while the callback runs.
class batch {
public:
    explicit batch(const pleach_batch *raw) : raw_(raw) {}
    const pleach_batch &raw() const { return *raw_; }
    std::uint32_t size() const { return raw_->count; }
    std::uint8_t lane(std::uint32_t number) const { return raw_->lanes[number]; }
    pleach_agent agent(std::uint32_t number) const { return raw_->agents[lane(number)]; }
    std::uint32_t index(std::uint32_t number) const { return index_of(agent(number)); }
    bool fresh(std::uint32_t number) const { return raw_->fresh[lane(number) / 64] >> lane(number) % 64 & 1; }
    std::int64_t now() const { return raw_->now; }
    std::int32_t arg_int(std::uint32_t index) const {
        std::int32_t value = 0;
        pleach_call_int(raw_->context, index, &value);
        return value;
    }
    float arg_float(std::uint32_t index) const {
        float value = 0;
        pleach_call_float(raw_->context, index, &value);
        return value;
    }
    // Returns the values of a variable. Only the lanes of the calling agents may be changed.
    template <class T> pleach::column<T> column(pleach_variable variable) const {
        pleach_column raw{};
        raw.struct_size = sizeof raw;
        pleach_batch_column_mut(raw_->context, variable, type_of<T>(), &raw);
        return pleach::column<T>(raw);
    }
    // Returns a column by which the agents are given the values of an out argument.
    template <class T> pleach::column<T> give(std::uint32_t index) const {
        pleach_column raw{};
        raw.struct_size = sizeof raw;
        pleach_batch_give(raw_->context, index, type_of<T>(), &raw);
        return pleach::column<T>(raw);
    }
    pleach::bits bits(pleach_variable variable) const {
        pleach_column raw{};
        raw.struct_size = sizeof raw;
        pleach_batch_column_mut(raw_->context, variable, PLEACH_BOOL, &raw);
        return pleach::bits(raw);
    }

private:
    const pleach_batch *raw_;
};

// Functions of a game that trees can name. Lambdas live as long as the programs and crowds that
// were made with them. They must not throw.
class host {
public:
    using act_one = std::function<outcome(call)>;
    using act_many = std::function<void(batch, outcome *)>;
    using ask_one = std::function<double(call)>;
    using ask_many = std::function<void(batch, double *)>;
    using on_halt = std::function<void(call, std::uint32_t why)>;

    host &action(std::string name, act_one act, on_halt halt = nullptr) {
        function &bound = add(PLEACH_ACTION, std::move(name), std::move(halt));
        bound.act = std::move(act);
        bound.raw.act = [](void *, const pleach_call *raw) noexcept {
            return static_cast<std::uint32_t>(of(raw->data).act(call(raw)));
        };
        return *this;
    }
    // Adds an action for several agents at once. `outcomes` has a place for each agent, initially
    // failure.
    host &action_all(std::string name, act_many act, on_halt halt = nullptr) {
        function &bound = add(PLEACH_ACTION, std::move(name), std::move(halt));
        bound.act_all = std::move(act);
        bound.raw.act_all = [](void *, const pleach_batch *raw, std::uint32_t *outcomes) noexcept {
            outcome many[PLEACH_LANES] = {};
            of(raw->data).act_all(batch(raw), many);
            for (std::uint32_t number = 0; number < raw->count; number++)
                outcomes[number] = static_cast<std::uint32_t>(many[number]);
        };
        return *this;
    }
    host &query(std::string name, ask_one ask) {
        function &bound = add(PLEACH_QUERY, std::move(name), nullptr);
        bound.query = std::move(ask);
        bound.raw.query = [](void *, const pleach_call *raw) noexcept { return of(raw->data).query(call(raw)); };
        return *this;
    }
    host &query_all(std::string name, ask_many ask) {
        function &bound = add(PLEACH_QUERY, std::move(name), nullptr);
        bound.query_all = std::move(ask);
        bound.raw.query_all = [](void *, const pleach_batch *raw, double *answers) noexcept {
            of(raw->data).query_all(batch(raw), answers);
        };
        return *this;
    }
    // Adds a query whose answers are in the column of a variable with the query's name.
    template <class T> host &column(std::string name) {
        add(PLEACH_QUERY, std::move(name), nullptr).raw.column = type_of_answers<T>();
        return *this;
    }
    // Sets the effect of the function that was added last.
    host &with(effect effect) {
        if (!functions_->empty()) functions_->back()->raw.effect = static_cast<std::uint32_t>(effect);
        return *this;
    }

private:
    friend class program;
    friend class crowd;

    struct function {
        std::string name;
        pleach_function raw{};
        act_one act;
        act_many act_all;
        ask_one query;
        ask_many query_all;
        on_halt halt;
    };
    using functions = std::vector<std::unique_ptr<function>>;

    template <class T> static constexpr std::uint32_t type_of_answers() {
        if constexpr (std::is_same_v<T, bool>) return PLEACH_BOOL;
        else return type_of<T>();
    }
    static function &of(void *data) { return *static_cast<function *>(data); }
    function &add(std::uint32_t kind, std::string name, on_halt halt) {
        functions_->push_back(std::make_unique<function>());
        function &bound = *functions_->back();
        bound.name = std::move(name);
        bound.halt = std::move(halt);
        bound.raw.struct_size = sizeof bound.raw;
        bound.raw.kind = kind;
        bound.raw.name = bound.name.data();
        bound.raw.name_length = bound.name.size();
        bound.raw.data = &bound;
        if (bound.halt)
            bound.raw.halt = [](void *, const pleach_call *raw, std::uint32_t why) noexcept {
                of(raw->data).halt(call(raw), why);
            };
        return bound;
    }
    std::shared_ptr<functions> functions_ = std::make_shared<functions>();
};

// Compiled program, verified.
class image : public owned {
public:
    image() = default;
    static result<image> load(std::string_view path) {
        pleach_image handle = 0;
        const pleach_status status = pleach_image_load(path.data(), path.size(), &handle);
        return made(status, image(handle));
    }
    // Maps a file. Nobody may change or shorten the file while the image or its programs exist: see
    // pleach_image_map.
    static result<image> map(std::string_view path) {
        pleach_image handle = 0;
        const pleach_status status = pleach_image_map(path.data(), path.size(), &handle);
        return made(status, image(handle));
    }
    static result<image> copy(const void *bytes, std::size_t length) {
        pleach_image handle = 0;
        const pleach_status status = pleach_image_copy(bytes, length, &handle);
        return made(status, image(handle));
    }

private:
    explicit image(pleach_image handle) : owned(handle) {}
};

// Image linked to a host.
class program : public owned {
public:
    program() = default;
    static result<program> link(const image &image, const host &host) {
        std::vector<pleach_function> table;
        for (const auto &function : *host.functions_) table.push_back(function->raw);
        pleach_host raw{};
        raw.struct_size = sizeof raw;
        raw.functions = table.data();
        raw.function_count = table.size();
        pleach_program handle = 0;
        const pleach_status status = pleach_program_link(image.handle(), &raw, &handle);
        return made(status, program(handle, host.functions_));
    }
    result<pleach_variable> variable(std::string_view name) const {
        pleach_variable found = 0;
        return made(pleach_program_variable(handle(), name.data(), name.size(), &found, nullptr), found);
    }
    result<pleach_shared> shared(std::string_view name) const {
        pleach_shared found = 0;
        return made(pleach_program_shared(handle(), name.data(), name.size(), &found), found);
    }
    result<pleach_event> event(std::string_view name) const {
        pleach_event found = 0;
        return made(pleach_program_event(handle(), name.data(), name.size(), &found), found);
    }

private:
    friend class crowd;
    program(pleach_program handle, std::shared_ptr<host::functions> functions)
        : owned(handle), functions_(std::move(functions)) {}
    std::shared_ptr<host::functions> functions_;
};

// Agents of a program. Used by one thread at a time.
class crowd : public owned {
public:
    crowd() = default;
    static result<crowd> make(const program &program, std::uint64_t seed = 0) {
        pleach_crowd_options options{};
        options.struct_size = sizeof options;
        options.seed = seed;
        pleach_crowd handle = 0;
        const pleach_status status = pleach_crowd_new(program.handle(), &options, &handle);
        return made(status, crowd(handle, program.functions_));
    }
    std::size_t size() const {
        std::size_t count = 0;
        pleach_crowd_count(handle(), &count);
        return count;
    }
    result<pleach_agent> spawn(std::string_view entry) {
        pleach_agent agent = 0;
        return made(pleach_crowd_spawn(handle(), entry.data(), entry.size(), &agent), agent);
    }
    pleach_status despawn(pleach_agent agent, std::int64_t now) {
        return pleach_crowd_despawn(handle(), agent, now, nullptr);
    }
    pleach_status reset(pleach_agent agent, std::int64_t now) { return pleach_crowd_reset(handle(), agent, now, nullptr); }
    result<pleach_tally> tick(std::int64_t now) {
        pleach_tally tally{};
        tally.struct_size = sizeof tally;
        const pleach_status status = pleach_crowd_tick(handle(), now, nullptr, &tally);
        return made(status, tally);
    }
    pleach_status raise(pleach_event event, std::int64_t now) {
        return pleach_crowd_raise(handle(), event, PLEACH_TARGET_ALL, 0, now, nullptr);
    }
    pleach_status raise(pleach_event event, pleach_agent agent, std::int64_t now) {
        return pleach_crowd_raise(handle(), event, PLEACH_TARGET_AGENT, agent, now, nullptr);
    }
    result<double> get(pleach_agent agent, pleach_variable variable) const {
        double value = 0;
        const pleach_status status = pleach_crowd_get(handle(), agent, variable, &value);
        return made(status, value);
    }
    pleach_status set(pleach_agent agent, pleach_variable variable, double value) {
        return pleach_crowd_set(handle(), agent, variable, value);
    }
    // Returns the value of a variable that agents share. The group does not matter for a variable of
    // the world.
    result<double> shared(pleach_shared variable, pleach_group group = 0) const {
        double value = 0;
        const pleach_status status = pleach_crowd_get_shared(handle(), variable, group, &value);
        return made(status, value);
    }
    pleach_status set_shared(pleach_shared variable, double value, pleach_group group = 0) {
        return pleach_crowd_set_shared(handle(), variable, group, value);
    }
    // Changes a tunable of the crowd, or that of one agent, between two ticks.
    pleach_status tune(std::string_view name, double value) {
        return pleach_crowd_tune(handle(), name.data(), name.size(), value);
    }
    pleach_status tune(pleach_agent agent, std::string_view name, double value) {
        return pleach_crowd_tune_agent(handle(), agent, name.data(), name.size(), value);
    }
    result<double> tuned(std::string_view name) const {
        double value = 0;
        return made(pleach_crowd_tuned(handle(), name.data(), name.size(), &value), value);
    }
    result<double> tuned(pleach_agent agent, std::string_view name) const {
        double value = 0;
        return made(pleach_crowd_tuned_agent(handle(), agent, name.data(), name.size(), &value), value);
    }
    std::uint32_t chunks() const {
        std::uint32_t count = 0;
        pleach_crowd_chunk_count(handle(), &count);
        return count;
    }
    // Returns the values of a variable in a chunk. Valid until the next call that changes the
    // crowd. Ask again in each frame.
    template <class T> pleach::column<T> column(std::uint32_t chunk, pleach_variable variable) {
        return pleach::column<T>(raw_column(chunk, variable, type_of<T>()));
    }
    pleach::bits bits(std::uint32_t chunk, pleach_variable variable) {
        return pleach::bits(raw_column(chunk, variable, PLEACH_BOOL));
    }
    result<std::vector<std::uint8_t>> snapshot() {
        std::size_t length = 0;
        pleach_status status = pleach_crowd_snapshot(handle(), nullptr, 0, &length);
        std::vector<std::uint8_t> bytes(length);
        if (status == PLEACH_E_BUFFER) status = pleach_crowd_snapshot(handle(), bytes.data(), bytes.size(), &length);
        return made(status, std::move(bytes));
    }
    pleach_status restore(const std::vector<std::uint8_t> &bytes) {
        return pleach_crowd_restore(handle(), bytes.data(), bytes.size());
    }
    // Continues with a new build of the trees. pleach_crowd_reload_report returns the report as
    // text.
    result<pleach_reload_report> reload(const program &program, std::int64_t now) {
        pleach_reload_report report{};
        report.struct_size = sizeof report;
        const pleach_status status =
            pleach_crowd_reload(handle(), program.handle(), PLEACH_RELOAD_PLACES, now, nullptr, &report);
        if (status == PLEACH_OK) functions_ = program.functions_;
        return made(status, report);
    }

private:
    crowd(pleach_crowd handle, std::shared_ptr<host::functions> functions)
        : owned(handle), functions_(std::move(functions)) {}
    pleach_column raw_column(std::uint32_t chunk, pleach_variable variable, std::uint32_t type) {
        pleach_column raw{};
        raw.struct_size = sizeof raw;
        pleach_crowd_column_mut(handle(), chunk, variable, type, &raw);
        return raw;
    }
    std::shared_ptr<host::functions> functions_;
};

} // namespace pleach

#endif // PLEACH_HPP
