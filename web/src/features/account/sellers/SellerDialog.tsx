import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/Dialog.tsx'
import { SellerForm } from './SellerForm.tsx'
import { asksAgeQuery, mySellerQuery } from './sellers.queries.ts'

/**
 * Asks an owner whether they share as a private person or a trader, before their first plan or to change the answer.
 */
export function SellerDialog({ answer }: { answer: (given: boolean) => void }) {
  const { data: seller } = useQuery(mySellerQuery)
  const { data: asksAge } = useQuery(asksAgeQuery)
  return (
    <Dialog opened onClose={() => answer(false)} title={t`How do you share?`} closeOnClickOutside={false}>
      {seller !== undefined && asksAge !== undefined && (
        <SellerForm seller={seller} confirmsAge={asksAge && seller === null} onDone={() => answer(true)} />
      )}
    </Dialog>
  )
}
