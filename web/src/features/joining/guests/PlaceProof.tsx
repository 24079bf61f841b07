import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { priceEach } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { Proof } from '#features/money/payments/Proof.tsx'
import classes from '#ui/links.module.css'
import type { Place } from './place.queries.ts'

/** A proof of a guest's place, to print, in place of their page. */
export function PlaceProof({ place, onBack }: { place: Place; onBack: () => void }) {
  const { name, provider, plan, currency, share, cycleMonths } = place
  return (
    <>
      <Button variant="subtle" size="sm" mb="sm" w="fit-content" className={classes.back} onClick={onBack}>
        {t`Back`}
      </Button>
      <Proof
        place={{
          ...{ ...place, plan: `${provider} ${plan}`, member: name, isDirect: true },
          share: priceEach(formatMoney(share, currency), cycleMonths),
        }}
      />
    </>
  )
}
