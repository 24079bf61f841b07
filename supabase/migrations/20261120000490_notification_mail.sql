-- Mail for those who are away: what a notification says, when nobody has read it ten minutes later. For what asks for
-- an answer and for the answers; everything else waits at the bell.
create table private.mail_preferences (
  user_id uuid primary key references auth.users (id) on delete cascade,
  notifications boolean not null default true,
  -- In the link that ends these mails without signing in. It can do nothing else, so it is kept as it is.
  unsubscribe_token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
alter table private.mail_preferences enable row level security;

-- A person's preference, made when there is none yet: mail is on until somebody ends it.
create function private.ensure_mail_preference(p_user_id uuid) returns private.mail_preferences
language sql volatile security definer set search_path = '' as $$
  insert into private.mail_preferences (user_id) values (p_user_id)
  on conflict (user_id) do update set user_id = excluded.user_id
  returning *
$$;

-- Mails a notification with a button to p_path, unless it is read by then or something in p_about is over.
create function private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_told public.user_notifications;
  v_preference private.mail_preferences;
  v_address text;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  v_preference := private.ensure_mail_preference(v_told.user_id);
  if not v_preference.notifications or not private.is_mailable(v_address) then return; end if;
  v_unsubscribe := '/unsubscribe/' || v_preference.unsubscribe_token;
  perform private.send_mail(v_address, v_told.message, private.mail_page(
    v_told.title, array[v_told.message], p_action, p_path, 'You find this at the bell on Potluck too.',
    'You get this e-mail because you had not read it on Potluck yet.', v_unsubscribe
  ), p_notification_id::text || p_about, v_unsubscribe, interval '10 minutes',
    p_event => v_told.event, p_params => v_told.params);
end $$;

-- What has been read, or is gone, needs no mail.
create function private.tg_user_notifications__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.read then
    perform private.call_back_mail(old.id::text);
  end if;
  return null;
end $$;
create trigger call_back after update of read or delete on public.user_notifications
  for each row execute function private.tg_user_notifications__call_back();

-- Begins or ends these mails for one person; what waits is called back with it.
create function private.change_mail_preference(p_preference private.mail_preferences, p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.mail_preferences set notifications = coalesce(p_notifications, true) where user_id = p_preference.user_id;
  if not p_notifications then
    delete from private.outgoing_mail
    where unsubscribe_path = '/unsubscribe/' || p_preference.unsubscribe_token and sent_at is null and given_up_at is null;
  end if;
end $$;

-- Whether the acting user gets these mails.
create function private.get_mail_preference() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select notifications from private.mail_preferences where user_id = (select auth.uid())), true)
$$;
create function public.get_mail_preference() returns boolean
language sql stable set search_path = '' as $$ select private.get_mail_preference() $$;

-- Begins or ends them for the acting user.
create function private.set_mail_preference(p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.change_mail_preference(private.ensure_mail_preference(private.require_user()), p_notifications);
end $$;
create function public.set_mail_preference(p_notifications boolean) returns void
language sql volatile set search_path = '' as $$ select private.set_mail_preference(p_notifications) $$;

-- The same for whoever holds the link of a mail, signed in or not. Raises PT404 for a link nobody was sent.
create function private.set_mail_preference_by_link(p_token text, p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_preference private.mail_preferences;
begin
  select * into v_preference from private.mail_preferences where unsubscribe_token = p_token;
  if not found then
    raise exception 'This link is not known' using errcode = 'PT404';
  end if;
  perform private.change_mail_preference(v_preference, p_notifications);
end $$;
create function public.set_mail_preference_by_link(p_token text, p_notifications boolean) returns void
language sql volatile set search_path = '' as $$ select private.set_mail_preference_by_link(p_token, p_notifications) $$;

revoke all on private.mail_preferences from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public;
revoke execute on function public.get_mail_preference(), public.set_mail_preference(boolean),
  public.set_mail_preference_by_link(text, boolean) from public, anon, service_role;
grant execute on function private.get_mail_preference(), public.get_mail_preference(),
  private.set_mail_preference(boolean), public.set_mail_preference(boolean) to authenticated;
-- What a visitor does with the link of a mail.
grant execute on function private.set_mail_preference_by_link(text, boolean),
  public.set_mail_preference_by_link(text, boolean) to anon, authenticated;
