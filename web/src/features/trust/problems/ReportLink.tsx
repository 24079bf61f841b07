import { Button, type ButtonProps } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { OwnSeat } from '#domain/seats.ts'

/** The hash of a plan's address that opens the dialog. */
export const REPORT_HASH = 'something-is-wrong'

interface ReportLinkProps extends ButtonProps {
  seat: Pick<OwnSeat, 'planId' | 'problemId'>
  onLeave?: () => void
}

/** Leads to the dialog on the plan's page, or to the problem that is already reported. */
export function ReportLink({ seat: { planId, problemId }, onLeave, ...look }: ReportLinkProps) {
  return (
    <Button
      variant="transparent"
      color="gray"
      size="sm"
      leftSection={<IconLifebuoy size={18} aria-hidden />}
      w="fit-content"
      px={0}
      {...look}
      renderRoot={(root) =>
        problemId ? (
          <Link {...root} to="/problems/$problemId" params={{ problemId }} onClick={onLeave} />
        ) : (
          <Link
            {...root}
            to="/manage-subscribed/$planId"
            params={{ planId }}
            hash={REPORT_HASH}
            resetScroll={false}
            onClick={onLeave}
          />
        )
      }
    >
      {problemId ? 'See the problem' : 'Something is wrong'}
    </Button>
  )
}
