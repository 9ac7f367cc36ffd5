create table orders (
  id text primary key,
  product text not null,
  quantity integer not null
);

create table stock (
  product text primary key,
  quantity integer not null
);
