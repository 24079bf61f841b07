-- Mail that a server without SMTP has captured. Its outbox page shows this mail.
create schema if not exists platform;
create table if not exists platform.captured_mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz not null default now()
);
