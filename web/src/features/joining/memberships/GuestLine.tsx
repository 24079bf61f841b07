import { plural, t } from '@lingui/core/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { dayInWords } from '#domain/dates.ts'
import { placeLink } from '#domain/place-link.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { useNow } from '#ui/use-now.ts'
import { planGuestsQuery, useRenewLink } from './guests.ts'

interface GuestLineProps {
  plan: Plan
  personId: string
  name: string
}

/** When a guest's link was opened, and a button to replace it. */
export function GuestLine({ plan, personId, name }: GuestLineProps) {
  const guest = useQuery(planGuestsQuery(plan.id)).data?.find((one) => one.personId === personId)
  const now = new Date(useNow())
  const renew = useRenewLink(plan.id)
  const [asking, { open, close }] = useDisclosure()
  return (
    <div>
      {t`No account.`}{' '}
      {guest &&
        (guest.lastOpenedAt === null
          ? t`The link was never opened.`
          : t`The link was opened ${plural(guest.opened, { one: 'once', other: '# times' })}, last ${{ day: dayInWords(guest.lastOpenedAt, now) }}.`)}{' '}
      <Button variant="subtle" size="compact-sm" onClick={open}>
        {t`New link`}
      </Button>
      <Dialog opened={asking} onClose={close} title={t`A new link for ${name}`}>
        <Stack gap="md">
          {renew.data ? (
            <ShareLink
              big
              link={placeLink(renew.data)}
              title={t`Your place in ${plan.provider} ${{ name: planName(plan.name) }}`}
            />
          ) : (
            <>
              <Text>{t`All earlier links of ${name} stop working right away.`}</Text>
              <Button loading={renew.isPending} onClick={() => renew.mutate(personId)}>
                {t`Make a new link`}
              </Button>
            </>
          )}
        </Stack>
      </Dialog>
    </div>
  )
}
