import { type Cells, type Nine, NOBODY, signedIn } from '../cells.ts'

const ADMINS: Nine = ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'all', 'all']
const STAFF: Nine = ['42501', 'none', 'none', 'none', 'none', 'none', 'all', 'all', 'all']
const OWN_AND_ADMINS: Nine = ['42501', 'own', 'own', 'own', 'own', 'own', 'own', 'all', 'all']
const NONE = ['42501', 'none', 'none', 'none', 'none', 'none', 'none'] as const
const NO_STAFF = ['42501', '42501', '42501', '42501', '42501', '42501'] as const
const ALL_STAFF: Nine = [...NO_STAFF, 'yes', 'yes', 'yes']
const REFUSED = ['42501', '42501', '42501', '42501', '42501', '42501', '42501'] as const

export const staff: Cells = {
  tables: {
    user_roles: {
      rows: { 'of others': 'user_id <> :me' },
      select: STAFF,
      insert: {
        columns: ['user_id', 'role', 'granted_by'],
        attempts: {
          'to themselves': [
            `(user_id, role) values (:me, 'super-admin') on conflict (user_id) do update set role = excluded.role`,
            [...REFUSED, '42501', 'yes'],
          ],
          'to another': [`(user_id, role) values (:lea, 'moderator')`, [...REFUSED, '42501', 'yes']],
        },
      },
      update: {
        columns: ['user_id', 'role', 'granted_by'],
        attempts: { 'to admin': [`role = 'admin'`, [...NONE, 'none', 'of others, 23514']] },
      },
      delete: [...NONE, 'none', 'of others, 23514'],
    },
    system_roles: {
      rows: { 'their role': `name = 'moderator'` },
      select: ['42501', 'none', 'none', 'none', 'none', 'none', 'their role', 'all', 'all'],
      insert: {
        columns: ['name', 'description', 'permissions'],
        attempts: {
          'of another name': [
            `(name, description, permissions) values ('editor', 'Writes', '{users.view}')`,
            [...REFUSED, '42501', 'yes'],
          ],
          'of the name of a built-in one': [
            `(name) values ('Super-Admin')`,
            ['42501', '42501', '42501', '42501', '42501', '42501', '42501', '42501', '23505'],
          ],
        },
      },
      update: {
        columns: ['name', 'description', 'permissions'],
        attempts: {
          'of what a role is for': [`description = 'Another'`, [...NONE, 'none', 'all']],
          'of a built-in name': [`name = name || ' too'`, [...NONE, 'none', '23514']],
          'of built-in permissions': [`permissions = '{}'`, [...NONE, 'none', '23514']],
        },
      },
      delete: NOBODY,
    },
    system_permissions: { select: ADMINS, insert: NOBODY, update: NOBODY, delete: NOBODY },
    app_settings: {
      select: ADMINS,
      insert: NOBODY,
      update: {
        columns: ['review_new_plans', 'adjustment_ceiling', 'require_second_factor', 'fee_rate'],
        attempts: {
          'of whether plans are reviewed': ['review_new_plans = true', [...NONE, 'none', 'all']],
          'of the fee of new plans': ['fee_rate = 0.05', [...NONE, 'none', 'all']],
          'of what one adjustment can move': ['adjustment_ceiling = 500', [...NONE, 'none', 'all']],
          'of whether staff needs a second factor': [
            'require_second_factor = true',
            [...NONE, 'none', 'all'],
          ],
        },
      },
      delete: NOBODY,
    },
    admin_role_requests: {
      rows: { own: 'user_id = :me', pending: `status = 'pending'` },
      select: OWN_AND_ADMINS,
      insert: {
        columns: ['user_id', 'name', 'email', 'reason'],
        attempts: {
          'in their own name': [
            `(name, email, reason) values ('Somebody', 'some@body.example', 'I would like to help.')`,
            signedIn('yes'),
          ],
          'in the name of another': [
            `(user_id, name, email, reason) values (:lea, 'Lea', 'some@body.example', 'I would like to help.')`,
            NOBODY,
          ],
        },
      },
      update: {
        columns: ['status', 'reviewed_at'],
        attempts: { 'to approved': [`status = 'approved'`, [...NONE, 'none', 'pending, 23514, 42501']] },
      },
      delete: NOBODY,
    },
  },
  functions: {
    get_admin_dashboard: {
      'of the site': [
        'get_admin_dashboard()',
        ['42501', '42501', '42501', '42501', '42501', '42501', 'yes', 'yes', 'yes'],
      ],
      'with money': [
        'get_admin_dashboard() as a where a.revenue is not null',
        ['42501', '42501', '42501', '42501', '42501', '42501', 'nothing', 'yes', 'yes'],
      ],
    },
    site_series: {
      'by the month': [`site_series('month')`, ALL_STAFF],
      'with money': [
        `site_series('week') as a where a.paid is not null or a.fees is not null`,
        [...NO_STAFF, 'nothing', 'yes', 'yes'],
      ],
    },
    assign_user_role: {
      'to another': [`assign_user_role(:lea, 'moderator')`, [...REFUSED, '42501', 'true']],
      'to themselves': [`assign_user_role(:me, 'super-admin')`, [...REFUSED, '42501', 'true']],
      'from the last super-admin': [`assign_user_role(:sofia, '')`, [...REFUSED, '42501', '23514']],
    },
    get_staff_person: {
      'about the owner': ['get_staff_person(:olivia)', ALL_STAFF],
      'with roles and whether they are suspended': [
        `get_staff_person(:ada) as a where a ->> 'role' is not null`,
        ALL_STAFF,
      ],
      ...Object.fromEntries(
        Object.entries({ address: 'email', money: 'money', problems: 'problems' }).map(([what, part]) => [
          `with ${what}`,
          [
            `get_staff_person(:olivia) as a where a -> '${part}' <> 'null'`,
            [...NO_STAFF, 'nothing', 'yes', 'yes'],
          ],
        ]),
      ),
      'with plans and reports': [
        `get_staff_person(:olivia) as a where a -> 'plans' <> 'null' and a -> 'reports' <> 'null'`,
        ALL_STAFF,
      ],
      'with what staff did': [
        `get_staff_person(:olivia) as a where a -> 'log' <> 'null'`,
        [...NO_STAFF, 'nothing', 'nothing', 'yes'],
      ],
    },
    role_is_shut: { 'their own': ['role_is_shut()', signedIn('false')] },
    list_system_roles: { 'all of them': ['list_system_roles()', [...REFUSED, 'yes', 'yes']] },
    list_users: {
      'all of them': [
        'list_users()',
        ['42501', '42501', '42501', '42501', '42501', '42501', 'yes', 'yes', 'yes'],
      ],
    },
  },
}
