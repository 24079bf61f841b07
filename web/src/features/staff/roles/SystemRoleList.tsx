import { plural, t } from '@lingui/core/macro'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleName } from '#domain/roles.ts'
import { Collapsible } from '#ui/Collapsible.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { described, roleTexts } from './roles.messages.ts'
import { type SystemRole, systemRolesQuery } from './roles.queries.ts'
import classes from './SystemRoleList.module.css'

/** All roles with description, number of people and permissions; read-only without `onEdit`. */
export function SystemRoleList({ onEdit }: { onEdit: ((role: SystemRole) => void) | undefined }) {
  return (
    <Loaded of={useQuery(systemRolesQuery)} pending={<RowsSkeleton rows={3} />} failed={roleTexts.failed}>
      {({ roles, permissions }) => (
        <SurfaceCard>
          {!onEdit && (
            <Text c="dimmed" mb="sm">
              {roleTexts.readOnly}
            </Text>
          )}
          <DataTable
            label={roleTexts.title}
            columns={roleColumns(
              new Map(permissions.map(({ name, description }) => [name, described(description)])),
              onEdit,
            )}
            rows={roles}
            rowKey={({ id }) => id}
            rowProps={({ name }) => ({ 'aria-label': roleName(name) })}
          />
        </SurfaceCard>
      )}
    </Loaded>
  )
}

const roleColumns = (
  words: ReadonlyMap<string, string | null>,
  onEdit: ((role: SystemRole) => void) | undefined,
): Column<SystemRole>[] => [
  {
    label: t`Role`,
    as: 'title',
    brief: ({ name }) => roleName(name),
    cell: ({ name, description, builtIn }) => (
      <div className={classes.words}>
        <Group gap="xs" component="span">
          <Text fw={600} component="bdi">
            {roleName(name)}
          </Text>
          {builtIn && (
            <Badge variant="light" color="gray" tt="none">
              {t`Built in`}
            </Badge>
          )}
        </Group>
        {description && (
          <Text size="sm" c="dimmed" dir="auto">
            {described(description)}
          </Text>
        )}
      </div>
    ),
  },
  {
    label: t`Users`,
    as: 'detail',
    number: true,
    brief: ({ usersCount }) => plural(usersCount, { one: '# user', other: '# users' }),
    cell: ({ usersCount }) => usersCount,
  },
  {
    label: t`Permissions`,
    as: 'detail',
    brief: ({ description }) => described(description),
    cell: ({ permissions }) =>
      permissions.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t`None`}
        </Text>
      ) : (
        <Collapsible name={plural(permissions.length, { one: '# permission', other: '# permissions' })}>
          <ul className={classes.permissions}>
            {permissions.map((permission) => (
              <li key={permission}>{words.get(permission) ?? permission}</li>
            ))}
          </ul>
        </Collapsible>
      ),
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (role) =>
      onEdit && (
        <Button
          size="sm"
          variant="default"
          aria-label={t`Edit ${roleName(role.name)}`}
          onClick={() => onEdit(role)}
        >
          {t`Edit`}
        </Button>
      ),
  },
]
