import { type Cells, NOBODY, signedIn } from '../cells.ts'

const REQUEST = `'Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one a day.',
  '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]'`

export const providers: Cells = {
  tables: {
    service_provider_data: {
      rows: { current: 'is_current' },
      select: [
        ...(['current', 'current', 'current', 'current', 'current', 'current'] as const),
        ...(['current', 'current', 'current'] as const),
      ],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    closed_providers: {
      select: signedIn('all'),
      insert: {
        columns: ['provider', 'reason'],
        attempts: {
          'of the catalogue': [
            `(provider, reason) values ('Spotify', 'Its terms')`,
            ['42501', '42501', '42501', '42501', '42501', '42501', '42501', 'yes', 'yes'],
          ],
        },
      },
      update: NOBODY,
      delete: ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'all', 'all'],
    },
    provider_requests: {
      rows: { own: 'user_id = :me', 'of others': 'user_id <> :me' },
      select: ['42501', 'own', 'own', 'own', 'own', 'own', 'own', 'all', 'all'],
      insert: {
        columns: [
          ...['user_id', 'provider_name', 'category', 'website_url', 'description', 'plans_data', 'status'],
        ],
        attempts: {
          'in their own name': [
            `(provider_name, category, website_url, description, plans_data) values (${REQUEST})`,
            signedIn('yes'),
          ],
          'in the name of another': [
            `(user_id, provider_name, category, website_url, description, plans_data) values (:lea, ${REQUEST})`,
            NOBODY,
          ],
        },
      },
      update: {
        columns: ['status'],
        attempts: {
          'to approved': [
            `status = 'approved'`,
            ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'of others, 42501', 'of others, 42501'],
          ],
        },
      },
      delete: NOBODY,
    },
  },
  functions: {
    get_pending_provider_requests_count: {
      'of everybody': [
        'get_pending_provider_requests_count()',
        ['42501', '42501', '42501', '42501', '42501', '42501', '42501', 'yes', 'yes'],
      ],
    },
  },
}
