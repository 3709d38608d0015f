// The operator that Urutau is measured against: controller-runtime as its documentation and kubebuilder's scaffold have
// it, with a full cache of everything it owns. -mode says how it writes: by Server-Side Apply, or by CreateOrUpdate.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func main() {
	mode := flag.String("mode", "apply", "apply or update")
	resync := flag.Duration("resync", 10*time.Hour, "how often everything is looked at")
	concurrency := flag.Int("concurrency", 16, "how many owners are worked on at the same time")
	flag.Parse()
	if err := run(*mode, *resync, *concurrency); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(mode string, resync time.Duration, concurrency int) error {
	ctrl.SetLogger(zap.New())
	giveBack()
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addToScheme(scheme)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Cache:                  cache.Options{SyncPeriod: &resync},
	})
	if err != nil {
		return err
	}
	reconciler := &Reconciler{Client: manager.GetClient()}
	switch mode {
	case "apply":
		reconciler.write = reconciler.apply
	case "update":
		reconciler.write = reconciler.update
	default:
		return fmt.Errorf("-mode is apply or update, not %q", mode)
	}
	err = ctrl.NewControllerManagedBy(manager).
		// Owners without it would be worked on again after each write of their status. It would also keep resyncs
		// from them; those of the owned objects come through.
		For(&Feed{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ServiceAccount{}).
		Owns(&rbacv1.Role{}).
		Owns(&rbacv1.RoleBinding{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Owns(&appsv1.StatefulSet{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: concurrency}).
		Complete(reconciler)
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

// giveBack collects garbage and gives freed memory back at SIGUSR1, so that what is measured is what is in use.
func giveBack() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			debug.FreeOSMemory()
		}
	}()
}
