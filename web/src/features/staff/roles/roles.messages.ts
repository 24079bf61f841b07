import { t } from '@lingui/core/macro'
import type { Role } from '#domain/roles.ts'
import { DUPLICATE, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const roleTexts = {
  title: t`System Roles`,
  failed: t`Could not load roles`,
  nameRequired: t`Role name is required`,
  readOnly: t`Only super-admins can change roles.`,
  about: t`What staff can see and do. Give roles in User Management.`,
} as const

/** Translated descriptions of the built-in roles and permissions, keyed by the database's text. */
export const DESCRIPTIONS: Record<string, string> = {
  'Everything, including who else is staff': t`Everything, including who else is staff`,
  'Runs the site: people, plans and payouts': t`Runs the site: people, plans and payouts`,
  'Reviews shared plans': t`Reviews shared plans`,
  'See who has an account, and which role': t`See who has an account, and which role`,
  'See addresses, wallets and payments; pay out, adjust wallets, decide on problems and disputes': t`See addresses, wallets and payments; pay out, adjust wallets, decide on problems and disputes`,
  'Opens nothing yet: people delete their own accounts': t`Opens nothing yet: people delete their own accounts`,
  'See every shared plan': t`See every shared plan`,
  'Approve and reject shared plans, and decide on reports of reviews and people': t`Approve and reject shared plans, and decide on reports of reviews and people`,
  'Switch providers off, and decide on requested ones': t`Switch providers off, and decide on requested ones`,
  "Define roles and grant them, up to what one's own allows; read the log of staff": t`Define roles and grant them, up to what one's own allows; read the log of staff`,
  'Change the settings of the site': t`Change the settings of the site`,
}

export const described = (description: string): string => DESCRIPTIONS[description] ?? description

/** A person's role before and after. */
interface RoleChange {
  from: Role
  to: Role
}

/** Toasts for changing a person's role: assigned, removed or updated. */
export const assignmentToasts = {
  done: ({ from, to }: RoleChange) => {
    if (to === null) toastSuccess(t`Role Removed`, t`User role has been successfully removed`)
    else
      toastSuccess(
        from === null ? t`Role Assigned` : t`Role Updated`,
        t`User has been assigned the ${to} role`,
      )
  },
  failed: (problem: unknown, { from, to }: RoleChange) => {
    const refusal = refusalOf(problem)
    if (refusal) toastError(t`Update Failed`, refusal)
    else if (to === null) toastError(t`Error`, t`Failed to remove user role`)
    else if (from === null) toastError(t`Error`, t`Failed to assign user role`)
    else toastError(t`Update Failed`, t`Failed to update user role`)
  },
}

export const systemRoleToasts = {
  nameless: () => toastError(t`Validation error`, roleTexts.nameRequired),
  created: () => toastSuccess(t`Role created`),
  updated: () => toastSuccess(t`Role updated`),
  refused: (problem: unknown) => {
    const taken = toAppError(problem).code === DUPLICATE
    const reason = taken ? t`There is already a role with this name` : refusalOf(problem)
    toastError(t`Error`, reason ?? t`The role could not be saved. Please try again.`)
  },
}
