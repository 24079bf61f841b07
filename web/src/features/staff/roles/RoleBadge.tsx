import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import { type Role, roleName } from '#domain/roles.ts'

/** A badge with a person's role or "No role". */
export function RoleBadge({ of: role }: { of: Role }) {
  return (
    <Badge variant="light" tt="none">
      {role === null ? t`No role` : roleName(role)}
    </Badge>
  )
}
