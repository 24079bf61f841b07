set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.page_head(p_path text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text := coalesce(substring(p_path from '^/plans/(sub-[0-9a-z-]+)/?$'),
    private.plan_of_code(substring(p_path from '^/p/([0-9A-Za-z]{8})/?$')));
  v_card jsonb;
  v_free integer;
begin
  if p_path ~ '^/plans/?$' then
    return jsonb_build_object('title', 'Plans to join · Potluck',
      'description', 'Streaming, music, gaming and software plans to share. The price you see is all you pay.');
  elsif p_path ~ '^/people/' then
    -- For people, not for search engines.
    v_card := private.get_person(substring(p_path from '^/people/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$')::uuid);
    return jsonb_build_object('title', coalesce(v_card ->> 'name', 'No one here') || ' · Potluck', 'status', 200,
      'description', 'See what this person shares, how reliable they are and their reviews.');
  elsif p_path ~ '^/p/[^/]' and p_path !~ '^/p/[0-9A-Za-z]{8}/?$' then
    -- The longer secret of a private plan says nothing of it, not even whether there is one.
    return jsonb_build_object('title', 'A private plan · Potluck', 'heading', 'A private plan', 'status', 200,
      'description', 'Sign in or sign up to see it.');
  elsif p_path !~ '^/(plans|p)/' then
    return null;
  end if;
  v_card := private.market_plan(v_id);
  if v_card is null then
    return jsonb_build_object('title', 'We can’t find this plan · Potluck', 'heading', 'We can’t find this plan', 'status', 404,
      'description', 'The owner may have cancelled it or made it private. Other plans have a place for you.');
  end if;
  v_free := greatest((v_card ->> 'ownerMaxMembers')::integer - (v_card ->> 'currentMembers')::integer - (v_card ->> 'kept')::integer, 0);
  return jsonb_build_object(
    'title', format('%s %s for €%s a month · Potluck', v_card ->> 'provider', v_card ->> 'name', v_card ->> 'monthlyCost'),
    'heading', format('%s %s', v_card ->> 'provider', v_card ->> 'name'),
    'description', format('Shared by %s. %s of %s places open, €%s a month all in.', v_card ->> 'ownerName', v_free,
      v_card ->> 'ownerMaxMembers', v_card ->> 'monthlyCost'),
    'image', (
      select jsonb_build_object('path', format('/share/%s.png', provider ->> 'id'),
        'alt', format('The mark of %s and a clay pot: Share %1$s. Split the cost.', provider ->> 'name'))
      from jsonb_array_elements(private.catalogue()) as provider where provider ->> 'name' = v_card ->> 'provider' limit 1
    ));
end $function$;
