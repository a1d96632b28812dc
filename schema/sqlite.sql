-- Dumped from the migrations (version 14); LEEWAY_WRITE=1 rewrites it.

CREATE TRIGGER approvals_come after insert on approvals when new.state is not null begin
  insert into tallies select new.space, 'approvals', new.state, 0
    where not exists (select 1 from tallies where space = new.space and kind = 'approvals' and state = new.state);
  update tallies set count = count + 1 where space = new.space and kind = 'approvals' and state = new.state;
end;
CREATE TRIGGER approvals_turn after update of state on approvals when old.state is not new.state begin
  update tallies set count = count - 1 where space = old.space and kind = 'approvals' and state = old.state;
  insert into tallies select new.space, 'approvals', new.state, 0
    where not exists (select 1 from tallies where space = new.space and kind = 'approvals' and state = new.state);
  update tallies set count = count + 1 where space = new.space and kind = 'approvals' and state = new.state;
end;
CREATE TRIGGER notices_come after insert on notices when new.state is not null begin
  insert into tallies select new.space, 'notices', new.state, 0
    where not exists (select 1 from tallies where space = new.space and kind = 'notices' and state = new.state);
  update tallies set count = count + 1 where space = new.space and kind = 'notices' and state = new.state;
end;
CREATE TRIGGER notices_turn after update of state on notices when old.state is not new.state begin
  update tallies set count = count - 1 where space = old.space and kind = 'notices' and state = old.state;
  insert into tallies select new.space, 'notices', new.state, 0
    where not exists (select 1 from tallies where space = new.space and kind = 'notices' and state = new.state);
  update tallies set count = count + 1 where space = new.space and kind = 'notices' and state = new.state;
end;
CREATE TABLE agents (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE approvals (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null, due_ms integer generated always as (row ->> '$.answerByMs') virtual,
  unique (space, id)
) strict;
CREATE TABLE buckets (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE calls (
  place integer primary key,
  space integer not null,
  version integer not null,
  key text not null,
  sort_ms integer not null,
  wake_ms integer,
  decided integer,
  row text not null,
  args any,
  execution text,
  execution_version integer,
  result any
) strict;
CREATE TABLE "chains" (
  space integer primary key,
  workspace text not null unique,
  epoch integer not null,
  entry integer not null,
  at_ms integer not null,
  hash text,
  mark text) strict;
CREATE TABLE changes (
  id text not null,
  space integer not null,
  first_index integer not null,
  at_ms integer not null,
  primary key (id, space)
) strict, without rowid;
CREATE TABLE counters (
  space integer not null,
  counter text not null,
  sum real not null,
  until_ms integer not null,
  primary key (space, counter)
) strict, without rowid;
CREATE TABLE declarations (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE entries (
  place integer primary key,
  at_ms integer not null,
  kind text not null,
  actor text not null,
  subject text not null,
  call text,
  approval text,
  grant_id text,
  person text,
  body_hash text not null,
  previous text,
  hash text not null,
  salt text,
  body text
, change text, agent text) strict;
CREATE TABLE executions (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE grants (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE notices (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE pauses (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE people (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE policies (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE promotions (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE seals (
  place integer primary key,
  text text not null
) strict;
CREATE TABLE signins (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE tallies (
  space integer not null,
  kind text not null,
  state text not null,
  count integer not null,
  primary key (space, kind, state)
) strict, without rowid;
CREATE TABLE tokens (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;
CREATE TABLE tracks (
  place integer primary key,
  space integer not null,
  agent text not null,
  class text not null,
  tool text not null,
  row text not null,
  unique (space, agent, class, tool)
) strict;
CREATE INDEX agents_sort on agents (space, sort_ms);
CREATE INDEX approvals_agent on approvals (space, agent, state, sort_ms);
CREATE INDEX approvals_call on approvals (space, call);
CREATE INDEX approvals_collect on approvals (space, collect) where collect is not null;
CREATE INDEX approvals_digest on approvals (space, agent, digest, sort_ms);
CREATE INDEX approvals_due on approvals (space, due_ms, id) where state = 'pending';
CREATE INDEX approvals_key on approvals (space, key) where key is not null;
CREATE INDEX approvals_sort on approvals (space, sort_ms);
CREATE INDEX approvals_state on approvals (space, state, sort_ms);
CREATE INDEX approvals_wake on approvals (queue, wake_ms) where queue is not null;
CREATE UNIQUE INDEX calls_key on calls (space, key);
CREATE INDEX calls_wake on calls (wake_ms) where wake_ms is not null;
CREATE INDEX counters_until on counters (until_ms);
CREATE INDEX declarations_state on declarations (space, state, sort_ms);
CREATE INDEX entries_agent on entries (agent) where agent is not null;
CREATE INDEX entries_approval on entries (approval) where approval is not null;
CREATE INDEX entries_call on entries (call) where call is not null;
CREATE INDEX entries_grant on entries (grant_id) where grant_id is not null;
CREATE INDEX entries_person on entries (person) where person is not null;
CREATE INDEX executions_collect on executions (space, agent, collect, sort_ms) where collect is not null;
CREATE INDEX executions_digest on executions (space, agent, digest, sort_ms) where collect is not null;
CREATE INDEX executions_state on executions (space, state, sort_ms) where state = 'ready' or state = 'unknown';
CREATE INDEX executions_wake on executions (queue, wake_ms) where queue is not null;
CREATE INDEX grants_sort on grants (space, sort_ms);
CREATE INDEX grants_state on grants (space, state, sort_ms);
CREATE INDEX grants_wake on grants (queue, wake_ms) where queue is not null;
CREATE INDEX notices_call on notices (space, call, sort_ms) where call is not null;
CREATE INDEX notices_collect on notices (space, collect, sort_ms) where collect is not null;
CREATE INDEX notices_sort on notices (space, sort_ms);
CREATE INDEX notices_state on notices (space, state, sort_ms);
CREATE INDEX notices_wake on notices (queue, wake_ms) where queue is not null;
CREATE INDEX pauses_state on pauses (space, state, sort_ms);
CREATE INDEX policies_bucket on policies (space, collect) where collect is not null;
CREATE INDEX policies_state on policies (space, state, sort_ms);
CREATE INDEX promotions_state on promotions (space, state, sort_ms);
CREATE INDEX signins_state on signins (space, state, sort_ms);
CREATE INDEX tokens_bucket on tokens (space, collect) where collect is not null;
CREATE INDEX tokens_sort on tokens (space, sort_ms);
