import { t } from '@lingui/core/macro'
import type { ButtonProps } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { linkOptions } from '@tanstack/react-router'
import type { OwnSeat } from '#domain/seats.ts'
import { LinkButton } from '#ui/links.tsx'

/** The hash of a plan page's URL that opens the report dialog. */
export const REPORT_HASH = 'something-is-wrong'

interface ReportLinkProps extends ButtonProps {
  seat: Pick<OwnSeat, 'planId' | 'problemId'>
  onLeave?: () => void
}

/** A link to the report dialog on the plan's page, or to the problem if one is already reported. */
export function ReportLink({ seat: { planId, problemId }, onLeave, ...look }: ReportLinkProps) {
  const link = problemId
    ? linkOptions({ to: '/problems/$problemId', params: { problemId } })
    : linkOptions({
        to: '/manage-subscribed/$planId',
        params: { planId },
        hash: REPORT_HASH,
        resetScroll: false,
      })
  return (
    <LinkButton
      variant="transparent"
      color="gray"
      size="sm"
      leftSection={<IconLifebuoy size={18} aria-hidden />}
      w="fit-content"
      px={0}
      {...look}
      {...link}
      onClick={onLeave}
    >
      {problemId ? t`See the problem` : t`Something is wrong`}
    </LinkButton>
  )
}
