create table shipments (
  order_id text primary key
);
