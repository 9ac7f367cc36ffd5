create table orders (
  id text primary key,
  total numeric not null
);
