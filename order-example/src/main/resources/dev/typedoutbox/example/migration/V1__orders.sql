-- The service's own tables. The outbox's come from the library, with a history of their own.

create type order_status as enum ('created', 'paid', 'cancelled');

create table orders (
  id        uuid         not null default gen_random_uuid(),
  customer  varchar(200) not null,
  currency  varchar(3)   not null,
  -- Keeps the decimals it is given: 2 for most currencies, none for yen, 3 for the dinar of Bahrain.
  total     numeric      not null,
  items     jsonb        not null,
  note      varchar(500),
  status    order_status not null default 'created',
  placed_at timestamptz  not null default now(),

  constraint orders_pkey primary key (id),
  constraint orders_currency_iso check (currency ~ '^[A-Z]{3}$'),
  constraint orders_total_not_negative check (total >= 0),
  constraint orders_items_array check (jsonb_typeof(items) = 'array')
);

create type shipment_status as enum ('waiting', 'ready', 'stopped');

-- What the consumer makes of the events. No foreign key: shipping may move to a database of its own.
create table shipments (
  order_id     uuid            not null,
  status       shipment_status not null,
  last_seq     bigint          not null,
  out_of_order integer         not null default 0,

  constraint shipments_pkey primary key (order_id),
  constraint shipments_out_of_order_not_negative check (out_of_order >= 0)
);
