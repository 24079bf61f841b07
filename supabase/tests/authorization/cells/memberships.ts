import { type Cells, NOBODY } from '../cells.ts'

export const memberships: Cells = {
  tables: {
    subscription_members: {
      rows: {
        'own and the owner’s': 'user_id = :me or (is_owner and subscription_id in (:plan, :blocking_plan))',
        'of the plan': 'subscription_id = :plan',
        own: 'user_id = :me',
        'of the plan but the owner’s': 'subscription_id = :plan and not is_owner',
      },
      select: [
        ...(['42501', 'none', 'none', 'own and the owner’s', 'none', 'of the plan'] as const),
        ...(['none', 'none', 'none'] as const),
      ],
      insert: NOBODY,
      update: NOBODY,
      delete: [
        ...(['42501', 'none', 'none', 'own', 'none', 'of the plan but the owner’s'] as const),
        ...(['none', 'none', 'none'] as const),
      ],
    },
    subscription_requests: {
      rows: { own: 'user_id = :me', 'of the plan': 'subscription_id = :plan' },
      select: ['42501', 'none', 'own', 'own', 'own', 'of the plan', 'none', 'none', 'none'],
      insert: {
        columns: ['subscription_id', 'user_id', 'name', 'email', 'message', 'coins_first', 'status'],
        attempts: {
          'for the plan': [
            '(subscription_id) values (:plan)',
            ['42501', 'yes', '23505', '23505', 'yes', '23514', 'yes', 'yes', 'yes'],
          ],
          'for a plan whose owner has blocked them': [
            '(subscription_id) values (:blocking_plan)',
            ['42501', 'PT404', 'PT404', '23514', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404'],
          ],
          'in the name of another': ['(subscription_id, user_id) values (:plan, :paul)', NOBODY],
        },
      },
      update: {
        columns: ['status'],
        attempts: {
          'to cancelled': [
            `status = 'cancelled'`,
            ['42501', 'none', 'own', '23514', '23514', 'none', 'none', 'none', 'none'],
          ],
          'to approved, or else': [
            `status = case status when 'pending' then 'approved' else 'rejected' end`,
            ['42501', 'none', '42501', '23514', '23514', 'none', 'none', 'none', 'none'],
          ],
        },
      },
      delete: NOBODY,
    },
  },
  functions: {
    check_existing_subscription_membership: {
      'for themselves': [
        'check_existing_subscription_membership(:plan, :me)',
        ['42501', 'false', 'false', 'true', 'false', 'true', 'false', 'false', 'false'],
      ],
      'for another': ['check_existing_subscription_membership(:plan, :lea)', NOBODY],
    },
    check_existing_subscription_request: {
      'for themselves': [
        'check_existing_subscription_request(:plan, :me)',
        ['42501', 'false', 'true', 'false', 'false', 'false', 'false', 'false', 'false'],
      ],
      'for another': ['check_existing_subscription_request(:plan, :lea)', NOBODY],
    },
    approve_subscription_request: decides('approve_subscription_request'),
    reject_subscription_request: decides('reject_subscription_request'),
    get_pending_requests_with_expiry: {
      'of the plan': [
        'get_pending_requests_with_expiry(:plan)',
        ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
      ],
    },
    fetch_archived_requests: {
      'of the plan': [
        'fetch_archived_requests(:plan)',
        ['42501', 'nothing', 'nothing', 'nothing', 'nothing', 'yes', 'nothing', 'nothing', 'nothing'],
      ],
    },
    fetch_user_archived_requests: {
      'their own': [
        'fetch_user_archived_requests(:me)',
        ['42501', 'nothing', 'nothing', 'yes', 'yes', 'nothing', 'nothing', 'nothing', 'nothing'],
      ],
      'of another': ['fetch_user_archived_requests(:lea)', NOBODY],
    },
  },
}

function decides(name: string) {
  return {
    'on a request for the plan': [
      `${name}(:request, :plan)`,
      ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
    ],
    'on a request for another plan': [
      `${name}(:other_request, :plan)`,
      ['42501', '42501', '42501', '42501', '42501', 'PT404', '42501', '42501', '42501'],
    ],
    'on another’s plan': [`${name}(:other_request, :other_plan)`, NOBODY],
  } as const
}
