import { useState } from 'react';

/** What was chosen and is not answered yet: it shows at once, also while something before it is under way. */
export function useOptimisticValues<Values extends object>() {
  const [chosen, setChosen] = useState<Partial<Values>>({});
  return {
    chosen,
    choose: (values: Partial<Values>) => setChosen(now => ({ ...now, ...values })),
    /** From now on the server's answer counts, unless something else has been chosen since. */
    answered: (values: Partial<Values>) =>
      setChosen(now => {
        const left = { ...now };
        for (const name in values) if (left[name] === values[name]) delete left[name];
        return left;
      }),
  };
}
