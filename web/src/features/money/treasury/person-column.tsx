import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { Column } from '#ui/DataTable.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import type { Holder } from './treasury.queries.ts'

/** The column with a row's person. */
export const personColumn: Column<Holder> = {
  label: t`User`,
  sort: 'name',
  as: 'title',
  mark: ({ name, avatarUrl }) => <PersonAvatar name={name} src={avatarUrl} size={40} />,
  brief: ({ name }) => name,
  cell: ({ userId, name }) => (
    <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
      <PersonLink staff userId={userId} name={name} />
    </Text>
  ),
}
