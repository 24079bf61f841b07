-- Tables whose changes travel to browsers; row-level security decides who receives a row.
do $$
declare v_table text;
begin
  foreach v_table in array array[
    'shared_subscriptions', 'subscription_members', 'subscription_logins', 'subscription_requests', 'conversations',
    'messages', 'chat_participants', 'user_notifications', 'user_wallets', 'coin_transactions', 'withdrawal_requests',
    'provider_requests', 'admin_role_requests'
  ] loop
    begin
      execute format('alter publication supabase_realtime add table public.%I', v_table);
    exception when duplicate_object then null;
    end;
  end loop;
end $$;
