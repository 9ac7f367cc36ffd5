create table customers (id bigint primary key);
