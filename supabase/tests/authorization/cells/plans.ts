import { type Cells, everybody, NOBODY, signedIn } from '../cells.ts'

const OWNER_ONLY = ['42501', 'none', 'none', 'none', 'none', 'of the plan', 'none', 'none', 'none'] as const

/** Everybody but staff, refused. */
const NOT_STAFF = ['42501', '42501', '42501', '42501', '42501', '42501'] as const

export const plans: Cells = {
  tables: {
    // A row is there only while it is being removed.
    plan_departures: {
      rows: { own: 'subscription_id in (select id from shared_subscriptions where owner_id = :me)' },
      select: ['42501', 'none', 'none', 'none', 'none', 'own', 'none', 'none', 'none'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    shared_subscriptions: {
      // Whom an owner has blocked finds their plan only as its member, or as staff.
      rows: {
        active: `status = 'active'`,
        found: `status = 'active' and id <> :blocking_plan`,
        own: 'owner_id = :me',
      },
      select: ['42501', 'found', 'found', 'active', 'found', 'found', 'all', 'all', 'all'],
      insert: {
        columns: [
          ...[
            'settlement',
            'id',
            'catalogue_plan_id',
            'name',
            'provider',
            'description',
            'category',
            'logo',
            'total_price',
          ],
          ...[
            'member_price',
            'currency',
            'billing_cycle',
            'max_members',
            'owner_max_members',
            'current_members',
            'kept_places',
            'waiting',
            'fee_rate',
          ],
          ...[
            'provider_max_members',
            'owner_id',
            'owner',
            'status',
            'next_payment',
            'is_private',
            'instant_from',
            'created_at',
          ],
        ],
        attempts: {
          'in their own name': [
            `(catalogue_plan_id, owner_max_members, next_payment)
             values ('disney-plus-premium', 3, current_date + 30)`,
            signedIn('yes'),
          ],
          'in the name of another': [
            `(catalogue_plan_id, owner_max_members, next_payment, owner_id)
             values ('disney-plus-premium', 3, current_date + 30, :lea)`,
            NOBODY,
          ],
        },
      },
      update: {
        columns: ['owner_max_members', 'next_payment', 'is_private', 'instant_from'],
        attempts: {
          'places and renewal': [
            'owner_max_members = 4, next_payment = current_date + 40',
            ['42501', 'none', 'none', 'none', 'none', 'own', 'none', 'none', 'none'],
          ],
        },
      },
      delete: ['42501', 'none', 'none', 'none', 'none', 'own', 'none', 'none', 'none'],
    },
    subscription_logins: {
      rows: { 'of the plan': 'subscription_id = :plan' },
      select: ['42501', 'none', 'none', 'of the plan', 'none', 'of the plan', 'none', 'none', 'none'],
      insert: {
        columns: ['subscription_id', 'login_name'],
        attempts: {
          'for the plan': [
            `(subscription_id, login_name) values (:plan, 'ours')
             on conflict (subscription_id) do update set login_name = excluded.login_name`,
            ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
          ],
        },
      },
      update: {
        columns: ['subscription_id', 'login_name'],
        attempts: {
          'the name': [`login_name = 'ours'`, OWNER_ONLY],
          'to another plan': [
            'subscription_id = :pending_plan',
            ['42501', 'none', 'none', 'none', 'none', '42501', 'none', 'none', 'none'],
          ],
        },
      },
      delete: OWNER_ONLY,
    },
  },
  functions: {
    count_available_plans: { 'the active plans': ['count_available_plans()', everybody('yes')] },
    market_plans: { 'the active plans': ['market_plans()', everybody('yes')] },
    fee_rate: { 'of a plan shared now': ['fee_rate()', everybody('yes')] },
    market_plan: {
      'that everybody may find': ['market_plan(:plan)', everybody('yes')],
      'of an owner who has blocked all but visitors': [
        'market_plan(:blocking_plan)',
        ['yes', 'nothing', 'nothing', 'yes', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      ],
    },
    page_head: { 'of a plan': [`page_head('/plans/' || :plan)`, everybody('yes')] },
    site_paths: { 'for search engines': ['site_paths()', everybody('yes')] },
    count_kept_places: {
      'of the plan': ['count_kept_places(array[:plan])', signedIn('yes')],
      'of one in review': ['count_kept_places(array[:pending_plan])', signedIn('nothing')],
    },
    check_instant: {
      'of the plan': ['check_instant(:plan)', signedIn('yes')],
      'of an owner who has blocked them': [
        'check_instant(:blocking_plan)',
        ['42501', 'PT404', 'PT404', 'yes', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404'],
      ],
      'of one in review': ['check_instant(:pending_plan)', signedIn('PT404')],
    },
    get_plan_link: {
      'of the plan': [
        'get_plan_link(:plan)',
        ['42501', 'PT404', 'PT404', 'PT404', 'PT404', 'nothing', 'PT404', 'PT404', 'PT404'],
      ],
    },
    replace_plan_link: {
      'of the plan': [
        'replace_plan_link(:plan)',
        ['42501', 'PT404', 'PT404', 'PT404', 'PT404', '23514', 'PT404', 'PT404', 'PT404'],
      ],
    },
    open_plan_link: { 'that leads nowhere': [`open_plan_link('guessed')`, signedIn('PT404')] },
    search_plans: {
      'the active plans': [`search_plans('o')`, signedIn('yes')],
      'those in review': [`search_plans('spotify') as a where a.status <> 'active'`, signedIn('nothing')],
    },
    list_plans_for_review: {
      'every plan': ['list_plans_for_review()', [...NOT_STAFF, 'yes', 'yes', 'yes']],
      'those in review': [`list_plans_for_review('pending')`, [...NOT_STAFF, 'yes', 'yes', 'yes']],
    },
    review_plan: {
      'approving one in review': [
        `review_plan(:pending_plan, 'approve')`,
        [...NOT_STAFF, 'yes', 'yes', 'yes'],
      ],
      'rejecting one in review': [
        `review_plan(:pending_plan, 'reject')`,
        [...NOT_STAFF, 'yes', 'yes', 'yes'],
      ],
      'approving an active one': [`review_plan(:plan, 'approve')`, [...NOT_STAFF, '23514', '23514', '23514']],
    },
    is_subscription_owner: {
      'of the plan': [
        'is_subscription_owner(:plan)',
        ['42501', 'false', 'false', 'false', 'false', 'true', 'false', 'false', 'false'],
      ],
    },
  },
}
