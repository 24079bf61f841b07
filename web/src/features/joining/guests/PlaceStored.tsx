import { plural, t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { fullDay } from '#domain/dates.ts'
import { calendarAddress } from '#features/money/calendar/calendar-address.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { usePlaceCalendar, usePlaceExport, type usePlaceStep } from './place.mutations.ts'
import type { Place } from './place.queries.ts'

interface PlaceProps {
  place: Place
  secret: string
  step: ReturnType<typeof usePlaceStep>
}

/** The feed of the place's dates for calendar programs. */
export function PlaceCalendar({ place, secret }: Omit<PlaceProps, 'step'>) {
  const calendar = usePlaceCalendar(secret)
  const token = place.hasCalendar ? calendar.data : null
  return (
    <SectionCard titleId="calendar" title={t`Calendar`} gap="sm">
      <Text size="sm">{t`See when you pay next in your own calendar app.`}</Text>
      {token && <ShareLink link={calendarAddress(token)} copies={t`Copy address`} />}
      <Group gap="sm">
        <Button
          variant="default"
          size="sm"
          loading={calendar.isPending}
          onClick={() => calendar.mutate(true)}
        >
          {place.hasCalendar ? t`Replace link` : t`Create link`}
        </Button>
        {place.hasCalendar && (
          <Button variant="subtle" size="sm" color="beet" onClick={() => calendar.mutate(false)}>
            {t`Turn off`}
          </Button>
        )}
      </Group>
    </SectionCard>
  )
}

/** What is stored about the guest and why, and how they get a copy, leave, are forgotten, or report these pages. */
export function PlaceStored({ place, secret, step }: PlaceProps) {
  const { name, owner, ownerSince, email, endedAt } = place
  const hasReported = step.isSuccess && step.variables.step === 'report'
  const months = LIMITS.guestMemoryMonths
  const download = usePlaceExport(secret)
  const [leaving, leave] = useDisclosure()
  const [forgetting, forget] = useDisclosure()
  const [reporting, report] = useDisclosure()
  return (
    <SectionCard titleId="stored" title={t`What is stored about you`} gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {email
          ? t`The owner of the plan has entered your name, “${name}”, and your address, ${email}.`
          : t`The owner of the plan has entered your name, “${name}”.`}{' '}
        {t`With the payments of this place they are stored so that you can settle the cost between you (GDPR, Article 6(1)(f)). ${owner} has been here since ${{ day: fullDay(ownerSince) }} and sees how often and when this page was opened.`}
      </Text>
      <Text size="sm">
        {t`Your name is deleted ${plural(months, { one: '# month', other: '# months' })} after your place has ended, or as soon as you say so here, which is also how you object. What was paid stays in ${owner}’s records.`}
      </Text>
      <Group gap="sm">
        <Button variant="default" size="sm" loading={download.isPending} onClick={() => download.mutate()}>
          {t`Download my data`}
        </Button>
        {!endedAt && (
          <Button variant="default" size="sm" onClick={leave.open}>
            {t`Leave the plan`}
          </Button>
        )}
        <Button variant="default" size="sm" onClick={forget.open}>
          {t`Delete my name`}
        </Button>
      </Group>
      {hasReported ? (
        <Text size="sm">{t`Your report is with our team.`}</Text>
      ) : (
        <Group>
          <Button variant="subtle" size="sm" color="gray" onClick={report.open}>
            {t`Report ${owner}`}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={leaving}
        title={t`Leave the plan?`}
        confirmLabel={t`Leave the plan`}
        cancelLabel={t`Keep my place`}
        busy={step.isPending}
        onConfirm={() => step.mutate({ step: 'leave' }, { onSettled: leave.close })}
        onClose={leave.close}
      >
        {t`You lose access right away and get nothing back for the time you have paid.`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={forgetting}
        title={t`Delete your name?`}
        confirmLabel={t`Delete my name`}
        busy={step.isPending}
        onConfirm={() => step.mutate({ step: 'forget' }, { onSettled: forget.close })}
        onClose={forget.close}
      >
        {t`Your place ends, and this link stops working. This cannot be undone.`}
      </ConfirmDialog>
      {reporting && (
        <ReasonDialog
          title={t`Report ${owner}`}
          label={t`What happened?`}
          confirmLabel={t`Send report`}
          color="clay"
          busy={step.isPending}
          onConfirm={(text) => step.mutate({ step: 'report', text }, { onSuccess: report.close })}
          onClose={report.close}
        >
          {t`Do you not know ${owner}, or does somebody want your money? Our team looks at it. ${owner} is not told who reported.`}
        </ReasonDialog>
      )}
    </SectionCard>
  )
}
